package servertool;

import commandline.CommandLine;
import files.InputFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import org.microhttp.EventLoopGroup;
import org.microhttp.LogEntry;
import org.microhttp.Logger;
import org.microhttp.Options;
import reporting.Report;
import tls.TlsFront;
import tls.TlsSettings;

/** What the flags for TLS ask for. */
final class TlsFlags {

    private TlsFlags() {
    }

    /** Makes the loops, and a front before them if the flags ask for one; else that is null. */
    static TlsFront.Pair<EventLoopGroup> open(CommandLine line, Options options, Logger logger,
            TlsFront.Maker<EventLoopGroup> maker) throws IOException {
        if (line.has(ServerFlags.TLS_CERTIFICATE) || line.has(ServerFlags.TLS_KEY)) {
            String certificate = line.required(ServerFlags.TLS_CERTIFICATE);
            String key = line.required(ServerFlags.TLS_KEY);
            InputFile.read(ServerFlags.TLS_CERTIFICATE, certificate);
            InputFile.read(ServerFlags.TLS_KEY, key);
            var settings = TlsSettings.ofPem(Path.of(certificate), Path.of(key));
            return TlsFront.open(settings, options, logger, maker);
        }
        return new TlsFront.Pair<>(null, maker.make(options, logger));
    }

    /** Prints, of all events, that certificates were read again, or cannot be. */
    static Logger reloads(PrintStream err) {
        return new Logger() {

            @Override
            public boolean enabled() {
                return true;
            }

            @Override
            public boolean enabled(String event) {
                return event.startsWith("tls_reload");
            }

            @Override
            public void log(LogEntry... entries) {
                err.println(entries[0].value());
            }

            @Override
            public void log(Exception e, LogEntry... entries) {
                err.println(entries[0].value() + ": " + Report.oneLine(InputFile.failure(e)));
            }
        };
    }
}
