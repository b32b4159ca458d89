package org.microhttp.documents;

/** The lines of a document as classes that can be compiled. */
final class Snippets {

    /** What a line of a document may use without saying where it has it from. */
    private static final String HEAD = """
            import java.io.*;
            import java.net.*;
            import java.nio.charset.*;
            import java.time.*;
            import java.util.*;
            import org.microhttp.*;

            public class %s {
                public static Object run(Options options, Logger logger, Handler handler, EventLoop eventLoop,
                        Request request, Response response, byte[] body) throws Exception {
            """;

    private Snippets() {
    }

    /** A class around statements, or around an expression, which its method returns. */
    static String around(String name, String code) {
        boolean statements = code.endsWith(";") || code.endsWith("}");
        String whole = statements ? code + " return null;" : "return " + code + ";";
        return HEAD.formatted(name) + whole + "\n    }\n}\n";
    }
}
