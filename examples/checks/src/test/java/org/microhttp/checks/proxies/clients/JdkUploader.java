package org.microhttp.checks.proxies.clients;

import java.io.*;
import java.net.URI;
import java.net.http.*;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;

/**
 * Sends its input: {@code URL chunked|counted LENGTH}. Writes the answer, and the status or an error.
 * Input that ends early is an error of the input if the body is chunked; else the client has to see it.
 */
final class JdkUploader {

    private JdkUploader() {
    }

    private static final class Checked extends FilterInputStream {

        private long left;

        Checked(InputStream in, long length) {
            super(in);
            left = length;
        }

        @Override
        public int read(byte[] bytes, int from, int most) throws IOException {
            int count = super.read(bytes, from, most);
            if (count < 0 && left > 0) throw new EOFException("the input ends early");
            left -= count;
            return count;
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        long length = Long.parseLong(arguments[2]);
        BodyPublisher body = arguments[1].equals("chunked")
                ? BodyPublishers.ofInputStream(() -> new Checked(System.in, length))
                : BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> System.in), length);
        try {
            var request = HttpRequest.newBuilder(URI.create(arguments[0])).POST(body).build();
            HttpResponse<String> response =
                    HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
            System.out.println(response.body() + response.statusCode());
        } catch (IOException e) {
            System.out.println(e);
            System.exit(1);
        }
    }
}
