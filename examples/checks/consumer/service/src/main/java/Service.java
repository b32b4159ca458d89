import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import org.microhttp.*;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.files.FileSettings;
import org.microhttp.extras.forms.FormHandler;
import org.microhttp.extras.forms.FormLimits;
import org.microhttp.extras.representation.CacheRules;
import org.microhttp.extras.representation.MediaTypes;
import org.microhttp.extras.routing.Router;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;

/** Serves a folder and a form by TLS: Service FOLDER UPLOADS CERTIFICATE KEY. */
public class Service {
    public static void main(String[] args) throws Exception {
        Executor executor = ForkJoinPool.commonPool();
        var router = new Router()
                .below("/files", files(Path.of(args[0]), executor))
                .on("POST", "/form", new FormHandler(Path.of(args[1]), FormLimits.DEFAULT, executor,
                        (request, form) -> Response.text(200, "hello " + form.get("name", "nobody"))));
        var server = new TlsServer(new Options().withPort(0), new NoopLogger(), router,
                TlsSettings.ofPem(Path.of(args[2]), Path.of(args[3])));
        System.out.println("listening on port " + server.getPort());
        server.start();
    }

    private static Handler files(Path folder, Executor executor) throws Exception {
        var settings = new FileSettings(folder, null, 1 << 20, false, MediaTypes.builtIn(),
                CacheRules.of(List.of()));
        return new FileHandler(settings, executor);
    }
}
