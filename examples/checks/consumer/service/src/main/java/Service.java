import java.nio.file.Path;
import org.microhttp.*;
import org.microhttp.extras.events.EventStream;
import org.microhttp.extras.events.ServerEvent;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.extras.forms.FormHandler;
import org.microhttp.extras.forms.FormLimits;
import org.microhttp.extras.routing.Router;
import org.microhttp.extras.tls.TlsServer;
import org.microhttp.extras.tls.TlsSettings;

/** Serves a folder, a form and an event stream by TLS: Service FOLDER UPLOADS CERTIFICATE KEY. */
public class Service {
    public static void main(String[] args) throws Exception {
        var events = new EventStream();
        events.publish(ServerEvent.of("started"));
        var router = new Router()
                .below("/files", FileHandler.of(Path.of(args[0])).build())
                .on("POST", "/form", new FormHandler(Path.of(args[1]), FormLimits.DEFAULT,
                        (request, form) -> Response.text(200, "hello " + form.get("name", "nobody"))))
                .on("GET", "/events", events::response);
        var server = new TlsServer(new Options().withPort(0), new NoopLogger(), router,
                TlsSettings.ofPem(Path.of(args[2]), Path.of(args[3])));
        System.out.println("listening on port " + server.getPort());
        server.start();
    }
}
