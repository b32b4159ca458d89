package org.microhttp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.*;
import java.util.List;

/** Bodies of every kind with the same bytes, each a character in which no two places look alike. */
enum Bodies {

    HEAP {
        @Override
        Body of(String text) {
            return Body.of(ByteBuffer.wrap(bytes(" " + text), 1, text.length()));
        }
    },

    DIRECT {
        @Override
        Body of(String text) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(text.length() + 2);
            buffer.position(1);
            buffer.put(bytes(text));
            buffer.flip().position(1);
            return Body.of(buffer);
        }
    },

    FILE {
        @Override
        Body of(String text) {
            try {
                return Body.of(file("before" + text + "behind"), 6, text.length());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    abstract Body of(String text);

    Response response(String text) {
        return response(of(text));
    }

    static Response response(Body body) {
        return new Response(200, "OK", List.of(), body);
    }

    /** A file of that content, which has no name any more. */
    static FileChannel file(String content) throws IOException {
        Path path = Files.createTempFile("body", null);
        Files.write(path, bytes(content));
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
        Files.delete(path);
        return file;
    }

    static String text(int length) {
        var text = new StringBuilder();
        for (int i = 0; text.length() < length; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }
}
