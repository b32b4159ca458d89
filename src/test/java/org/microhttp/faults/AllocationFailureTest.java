package org.microhttp.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.microhttp.EventLoop;
import org.microhttp.Occupancy;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.RecordingLogger;
import org.microhttp.tools.ServerProcess;
import org.microhttp.tools.TestServer;

/** A request may be so large, but there is no memory for it: its connection is lost, and nothing else. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class AllocationFailureTest {

    private static final String POST = "POST / HTTP/1.1\r\nHost: x\r\n";
    private static final int MEGABYTE = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 41943040\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n2800000\r\n"})
    void leavesNothingCharged(String framing) throws Exception {
        assumeTrue(ServerProcess.isPossible());
        try (var server = new ServerProcess("true", Main.class.getName(), "-Xmx32m", "-XX:+UseSerialGC")) {
            try (var client = new RawClient(server.port)) {
                send(client, POST + framing);
                assertEquals("connection_error OutOfMemoryError", server.ask("connection_error"));
            }
            assertEquals("close none", server.ask("close"));
            assertEquals("0 used", server.ask("used"));
            try (var client = new RawClient(server.port)) {
                client.send(POST + "Content-Length: 5\r\n\r\nhello").expectOk("hello");
            }
        }
    }

    /** As much as the server takes, which is not all. */
    private static void send(RawClient client, String head) {
        try {
            client.send(head);
            for (int i = 0; i < 40; i++) {
                client.send(new byte[MEGABYTE]);
            }
        } catch (IOException e) {
            // it has ended the connection
        }
    }

    /** A server that has less memory than it may use. It reads names of events and prints their causes. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws Exception {
            var log = new RecordingLogger();
            var options = TestServer.options().withMaxRequestSize(64 * MEGABYTE);
            var loop = new EventLoop(options, log, TestServer::echoBody);
            var occupancy = new Occupancy(loop);
            System.out.println(loop.getPort());
            var reader = new Thread(() -> obey(log, occupancy));
            reader.setDaemon(true);
            reader.start();
            loop.start();
        }

        private static void obey(RecordingLogger log, Occupancy occupancy) {
            try (var in = new BufferedReader(new InputStreamReader(System.in))) {
                for (String line; (line = in.readLine()) != null; ) {
                    if (line.equals("used")) {
                        System.out.println(occupancy.bytes() + " used");
                    } else {
                        System.out.println(line + " " + name(log.await(line).cause()));
                    }
                }
            } catch (IOException e) {
                // the test has ended
            }
            System.exit(1);
        }

        private static String name(Throwable cause) {
            return cause == null ? "none" : cause.getClass().getSimpleName();
        }
    }
}
