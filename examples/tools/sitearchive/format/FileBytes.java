package sitearchive.format;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.microhttp.Body;

/** An archive that stays in its file. */
final class FileBytes extends ArchiveBytes {

    private final FileChannel file;

    FileBytes(FileChannel file) throws IOException {
        super(file);
        this.file = file;
    }

    @Override
    public Body body(long position, long length) throws IOException {
        require(position, length);
        return Body.of(file, position, length).onReleased(this::release);
    }
}
