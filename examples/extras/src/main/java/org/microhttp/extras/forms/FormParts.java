package org.microhttp.extras.forms;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import org.microhttp.Request;

/**
 * Keeps the fields of one form in memory, and gives its files to subscribers, all within limits. For one
 * thread at a time; it may block.
 */
final class FormParts implements MultipartParser.Parts {

    /** Names that a response may repeat; for another part it has only the number. */
    private static final String PLAIN_NAME = "[A-Za-z0-9_.\\[\\]-]{1,50}";

    private static final PartHead UNREAD = new PartHead("", null, null);

    private final Request request;
    private final FormLimits limits;
    private final FileReceiver receiver;
    private final Runnable wake;
    private final OpenFiles open;
    private final Map<String, List<String>> fields = new LinkedHashMap<>();
    private final List<FormFile> files = new ArrayList<>();
    private int count;
    private int fileCount;
    private int memory;

    /** The present part; null between parts. */
    private PartHead head;
    private long size;
    private ByteArrayOutputStream field;

    /** The subscriber of the last file, and what passes content on to it; null if there was none. */
    private Flow.Subscriber<? super List<ByteBuffer>> subscriber;
    private PartStream stream;

    /**
     * @param receiver never returns null
     * @param open     gets what has to be closed when the form is over
     * @param wake     is called when {@link #flush} may return true again
     */
    FormParts(Request request, FormLimits limits, FileReceiver receiver, OpenFiles open, Runnable wake) {
        this.request = request;
        this.limits = limits;
        this.receiver = receiver;
        this.open = open;
        this.wake = wake;
    }

    @Override
    public void begin(byte[] lines) throws IOException {
        count++;
        head = UNREAD;
        FormRefusal.limit(count <= limits.parts(), "a form", limits.parts(), "parts");
        keep(lines.length);
        head = PartHead.of(lines);
        size = 0;
        field = head.fileName() == null ? new ByteArrayOutputStream() : null;
        stream = null;
        // if the user has chosen no file, browsers send an empty one without a name
        if (field == null && !head.fileName().isEmpty()) {
            beginFile();
        }
    }

    private void beginFile() throws IOException {
        fileCount++;
        FormRefusal.limit(fileCount <= limits.files(), "a form", limits.files(), "files");
        subscriber = receiver.receiver(request, head);
        if (subscriber instanceof AutoCloseable file) {
            open.add(file);
        }
        stream = new PartStream(subscriber, wake);
        stream.begin();
    }

    private void keep(int bytes) {
        boolean kept = bytes <= limits.memory() - memory;
        FormRefusal.limit(kept, "the fields of a form", limits.memory(), "bytes");
        memory += bytes;
    }

    @Override
    public void add(ByteBuffer content) throws IOException {
        size += content.remaining();
        long most = limits.content(head);
        FormRefusal.limit(size <= most, field == null ? "the file" : "the field", most, "bytes");
        if (field != null) {
            keep(content.remaining());
            while (content.hasRemaining()) {
                field.write(content.get());
            }
            return;
        }
        if (stream == null) {
            beginFile();
        }
        stream.add(content);
    }

    @Override
    public void end() {
        if (field != null) {
            String value = PartHead.text(field.toByteArray());
            fields.computeIfAbsent(head.name(), name -> new ArrayList<>()).add(value);
        } else if (stream != null) {
            files.add(file());
            stream.end();
        }
        head = null;
    }

    private FormFile file() {
        var disk = subscriber instanceof DiskFile own ? own.path : null;
        return new FormFile(head.name(), head.fileName(), head.type(), disk, size,
                disk == null ? subscriber : null);
    }

    /** Passes content on to the last file's subscriber; returns false if that has not requested all. */
    boolean flush() {
        return stream == null || stream.flush();
    }

    /** Says whether the subscriber of the last file has cancelled. */
    boolean isCancelled() {
        return stream != null && stream.isCancelled();
    }

    /** Signals an error to the subscriber of a file that is not complete. */
    void fail(Throwable cause) {
        if (stream == null) {
            return;
        }
        try {
            stream.fail(cause);
        } catch (Throwable t) {
            OpenFiles.report("the subscriber of a file has failed", t);
        }
    }

    /** {@return the present or last part, as the end of a message; empty before the first part} */
    String where() {
        if (head == null) {
            return count == 0 ? "" : " (after part " + count + ")";
        }
        String name = head.name().matches(PLAIN_NAME) ? ", \"" + head.name() + "\"" : "";
        return " (part " + count + name + ")";
    }

    /** {@return the form as far as it has come, with a file whose subscriber has cancelled} */
    Form form() {
        if (isCancelled() && head != null) {
            files.add(file());
        }
        return new Form(fields, files);
    }
}
