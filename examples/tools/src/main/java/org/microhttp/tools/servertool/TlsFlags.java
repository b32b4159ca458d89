package org.microhttp.tools.servertool;

import java.io.PrintStream;
import java.nio.file.Path;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.NoopLogger;
import org.microhttp.extras.tls.TlsSettings;
import org.microhttp.tools.commandline.CommandLine;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.reporting.Report;

/** What the flags for TLS ask for. */
final class TlsFlags {

    private TlsFlags() {
    }

    /** Null if they are not given. */
    static TlsSettings settings(CommandLine line) {
        if (!line.has(ServerFlags.TLS_CERTIFICATE) && !line.has(ServerFlags.TLS_KEY)) {
            return null;
        }
        String certificate = line.required(ServerFlags.TLS_CERTIFICATE);
        String key = line.required(ServerFlags.TLS_KEY);
        InputFile.read(ServerFlags.TLS_CERTIFICATE, certificate);
        InputFile.read(ServerFlags.TLS_KEY, key);
        return TlsSettings.ofPem(Path.of(certificate), Path.of(key));
    }

    /** Prints, of all events, that certificates were read again, or cannot be; without TLS none. */
    static Logger quiet(CommandLine line, PrintStream err) {
        return !line.has(ServerFlags.TLS_CERTIFICATE) ? new NoopLogger() : new Logger() {

            @Override
            public boolean enabled(String event) {
                return event.startsWith("tls_reload");
            }

            @Override
            public void log(Exception cause, LogEntry... entries) {
                String why = cause == null ? "" : ": " + Report.oneLine(InputFile.failure(cause));
                err.println(entries[0].value() + why);
            }
        };
    }
}
