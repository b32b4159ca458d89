package org.microhttp.checks.proxies.clients;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.*;

/** Writes what it gets as it comes; ends with 1 if the body is cut. */
final class JdkClient {

    private JdkClient() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        try {
            var request = HttpRequest.newBuilder(URI.create(arguments[0])).build();
            HttpResponse.BodyHandler<InputStream> handler = HttpResponse.BodyHandlers.ofInputStream();
            HttpClient.newHttpClient().send(request, handler).body().transferTo(System.out);
            System.out.flush();
        } catch (IOException e) {
            System.exit(1);
        }
    }
}
