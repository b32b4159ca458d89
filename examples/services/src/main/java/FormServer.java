import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.regex.Pattern;
import org.microhttp.EventLoop;
import org.microhttp.Handler;
import org.microhttp.NoopLogger;
import org.microhttp.Options;
import org.microhttp.Request;
import org.microhttp.Response;

/**
 * Reads the parameters of a query and of a form, and answers with a line for each. The library gives both as
 * the client sent them. A program splits them at {@code &} and {@code =} first and decodes each name and
 * value then, so that an encoded {@code &} stays part of its value. Wrong encoding, and more than a thousand
 * parameters, get 400, a POST of another type 415.
 */
public final class FormServer {

    private static final String FORM = "application/x-www-form-urlencoded";

    /** Each takes much more memory and time than what it is sent in. */
    private static final int MOST = 1000;

    /** RFC 3986 §2.1 */
    private static final Pattern BROKEN = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    public static void main(String[] args) {
        Handler handler = Handler.of(FormServer::answer);
        try {
            int port = args.length == 0 ? 8080 : Integer.parseInt(args[0]);
            var loop = new EventLoop(new Options().withPort(port), new NoopLogger(), handler);
            System.out.println("listening on port " + loop.getPort());
            loop.start();
        } catch (IllegalArgumentException | IOException e) {
            // no port number, or one that cannot be had
            System.err.println("FormServer [PORT]: " + e.getMessage());
            System.exit(2);
        }
    }

    private static Response answer(Request request) {
        try {
            String query = request.query() == null ? "" : lines("query", request.query());
            if (!request.method().equals("POST")) {
                return Response.text(200, query);
            }
            if (!isForm(request.header("Content-Type"))) {
                return Response.text(415, "allowed: " + FORM + "\n");
            }
            // a character for each byte of the body; decode makes text of them
            return Response.text(200, query + lines("form", new String(request.body(), ISO_8859_1)));
        } catch (IllegalArgumentException e) {
            return Response.text(400, e.getMessage() + "\n");
        }
    }

    /** The type may have parameters, such as a charset. A browser always sends UTF-8 for a page in UTF-8. */
    private static boolean isForm(String contentType) {
        return contentType != null
                && contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(FORM);
    }

    private static String lines(String part, String parameters) {
        var lines = new StringBuilder();
        String[] all = parameters.split("&", MOST + 1);
        if (all.length > MOST) {
            throw new IllegalArgumentException("there may be " + MOST + " parameters");
        }
        for (String parameter : all) {
            if (!parameter.isEmpty()) {
                String[] sides = parameter.split("=", 2);
                String value = sides.length == 1 ? "" : decode(sides[1]);
                lines.append(part + ": " + decode(sides[0]) + " = " + value + "\n");
            }
        }
        return lines.toString();
    }

    /**
     * A {@code +} becomes a space and {@code %C3%A9} two bytes. The bytes have to be UTF-8: with UTF_8,
     * URLDecoder would replace those that are not. It would also decode {@code %+1}.
     */
    private static String decode(String text) {
        if (BROKEN.matcher(text).find()) {
            throw new IllegalArgumentException("a % without two hexadecimal digits after it");
        }
        byte[] bytes = URLDecoder.decode(text, ISO_8859_1).getBytes(ISO_8859_1);
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a name or a value is not encoded in UTF-8");
        }
    }
}
