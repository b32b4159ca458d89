import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.UUID;
import java.util.function.Consumer;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.uploads.FileUpload;

/**
 * Takes files of any size, never whole in memory: {@code PUT /files/NAME} with a token. Login, name and size
 * are checked before the body is read. A file is in the folder when it is complete, or not at all. {@code
 * GET /} is a page that shows how far an upload is.
 */
public final class UploadServer {

    private static final String PAGE = """
            <!doctype html>
            <meta charset="utf-8">
            <title>Upload</title>
            <form>
              <input id="token" placeholder="token">
              <input id="file" type="file">
              <button>Upload</button>
            </form>
            <progress id="progress" value="0"></progress> <output id="result"></output>
            <script>
              const element = id => document.getElementById(id);
              document.forms[0].onsubmit = event => {
                event.preventDefault();
                const file = element('file').files[0];
                if (!file) return;
                const request = new XMLHttpRequest();
                request.open('PUT', '/files/' + encodeURIComponent(file.name));
                request.setRequestHeader('Authorization', 'Bearer ' + element('token').value);
                request.upload.onprogress = sent => element('progress').value = sent.loaded / sent.total;
                request.onload = () => element('result').value = request.responseText;
                request.onerror = () => element('result').value = 'the connection has failed';
                request.send(file);
              };
            </script>
            """;

    private final Response page = Response.of(200, "text/html; charset=utf-8", PAGE);
    private final Path folder;
    private final String token;
    private final long limit;

    private UploadServer(Path folder, String token, long limit) {
        this.folder = folder;
        this.token = token;
        this.limit = limit;
    }

    private FileUpload receiver(Request request) {
        Response refusal = refusal(request);
        if (refusal != null) {
            return FileUpload.refused(refusal);
        }
        String name = request.path().substring("/files/".length());
        return new FileUpload(request, folder.resolve(name), limit, Handler.blockingExecutor());
    }

    /** Why an upload is not taken; null if it is. */
    private Response refusal(Request request) {
        if (!request.method().equals("PUT")) {
            return Response.text(405, "a file is sent by PUT\n").withHeader("Allow", "GET, HEAD, PUT");
        }
        if (!hasToken(request)) {
            return Response.text(401, "a token is needed\n").withHeader("WWW-Authenticate", "Bearer");
        }
        // no more characters, and it cannot lead out of the folder
        if (!request.path().matches("/files/[A-Za-z0-9][A-Za-z0-9._-]{0,99}")) {
            return Response.text(400, "a name has letters, digits, and any of . _ -\n");
        }
        return null;
    }

    /** Takes as long whatever is wrong, so that nobody finds the token letter by letter. */
    private boolean hasToken(Request request) {
        String given = "" + request.header("Authorization");
        return MessageDigest.isEqual(("Bearer " + token).getBytes(), given.getBytes());
    }

    private void handle(Request request, FileUpload upload, Consumer<Response> callback) {
        if (upload != null) {
            upload.result().thenAccept(result -> callback.accept(result.response()));
        } else if (request.path().equals("/") && request.method().matches("GET|HEAD")) {
            callback.accept(page);
        } else {
            Response refusal = refusal(request);
            callback.accept(refusal == null ? Response.text(400, "a file has a byte or more\n") : refusal);
        }
    }

    public static void main(String[] args) {
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            Path folder = Path.of(args.length < 2 ? "uploads" : args[1]);
            String token = args.length < 3 ? "" + UUID.randomUUID() : args[2];
            long limit = args.length < 4 ? 4L << 30 : Long.parseLong(args[3]);
            if (limit < 0) {
                throw new IllegalArgumentException("BYTES is " + limit + "; allowed: 0 or more");
            }
            Files.createDirectories(folder);
            // each upload has a file open, and is pending; its own limit is the one of its size
            var options = new Options().withPort(port).withMaxPendingRequests(500)
                    .withMaxStreamedSize(Options.NO_LIMIT);
            var server = new UploadServer(folder, token, limit);
            Handler handler = Handler.receiving(server::receiver, server::handle);
            var loop = new EventLoop(options, new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            System.out.println("the token is " + token);
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no number, a port that cannot be had, or no folder
            System.err.println("UploadServer [PORT [FOLDER [TOKEN [BYTES]]]]: " + e.getMessage());
            System.exit(2);
        }
    }
}
