package org.microhttp.extras.forms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps the parts of one form, within its limits: fields in memory, files in a folder under names that nobody
 * can guess. For one thread at a time; it blocks while it writes.
 */
final class FormParts implements MultipartParser.Parts {

    /** What their names begin with; names that begin so are of nothing else in the folder. */
    static final String PREFIX = ".form-";

    private final Path folder;
    private final FormLimits limits;
    private final Map<String, List<String>> fields = new LinkedHashMap<>();
    private final List<FormFile> files = new ArrayList<>();

    /** Every file that was made, complete or not. */
    private final List<Path> made = new ArrayList<>();
    private int count;
    private int memory;

    /** The part that comes: a field in memory, or a file that is open. */
    private PartHead head;
    private ByteArrayOutputStream field;
    private FileChannel file;
    private long size;

    FormParts(Path folder, FormLimits limits) {
        this.folder = folder;
        this.limits = limits;
    }

    @Override
    public void begin(byte[] lines) throws IOException, FormException {
        count++;
        if (count > limits.parts()) {
            throw new FormException(413, "a form may have " + limits.parts() + " parts");
        }
        keep(lines.length);
        head = PartHead.of(lines);
        size = 0;
        if (head.fileName() == null) {
            field = new ByteArrayOutputStream();
            return;
        }
        Path path = folder.resolve(PREFIX + UUID.randomUUID());
        file = FileChannel.open(path, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(path));
        made.add(path);
    }

    /** Rights that a file is made with; none where there are no such rights. */
    private static FileAttribute<?>[] ownerOnly(Path path) {
        boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix ? new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        } : new FileAttribute<?>[0];
    }

    private void keep(int bytes) throws FormException {
        FormException.limit(bytes <= limits.memory() - memory, "the fields of a form", limits.memory());
        memory += bytes;
    }

    @Override
    public void add(ByteBuffer content) throws IOException, FormException {
        size += content.remaining();
        if (head.fileName() == null) {
            keep(content.remaining());
            while (content.hasRemaining()) {
                field.write(content.get());
            }
            return;
        }
        FormException.limit(size <= limits.file(), "a file", limits.file());
        while (content.hasRemaining()) {
            file.write(content);
        }
    }

    @Override
    public void end() throws IOException, FormException {
        if (head.fileName() == null) {
            String value = PartHead.text(field.toByteArray());
            fields.computeIfAbsent(head.name(), name -> new ArrayList<>()).add(value);
            return;
        }
        file.close();
        // where the user has chosen no file, browsers send an empty one without a name
        if (!head.fileName().isEmpty() || size > 0) {
            Path path = made.get(made.size() - 1);
            files.add(new FormFile(head.name(), head.fileName(), head.type(), path, size));
        }
    }

    Form form() {
        return new Form(fields, files);
    }

    /** Deletes the files that are still where they were made. */
    void delete() throws IOException {
        if (file != null) {
            file.close();
        }
        for (Path path : made) {
            Files.deleteIfExists(path);
        }
    }
}
