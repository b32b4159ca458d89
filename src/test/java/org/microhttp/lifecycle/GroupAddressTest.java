package org.microhttp.lifecycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.EventLoopGroup;
import org.microhttp.Options;
import org.microhttp.testing.*;

/** The loops of a group listen on one address, though the name of the host may come to mean another. */
@Tier.Gate
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GroupAddressTest {

    private static final String NAME = "server.test";

    @TempDir
    private Path folder;

    @Test
    void resolvesItsHostOnce() throws Exception {
        ServerProcess.assumePossible();
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 " + NAME + "\n");
        try (var server = new ServerProcess("true", Main.class.getName(), "-Djdk.net.hosts.file=" + hosts,
                "-Dsun.net.inetaddr.ttl=0")) {
            for (int i = 0; i < 3; i++) {
                String line = server.nextLine();
                assertEquals("127.0.0.1:" + server.port, line.substring(line.indexOf('/') + 1));
            }
            assertEquals(null, server.nextLine());
        }
    }

    /** A program that prints its port and where each loop listens, and changes the address at once. */
    static final class Main {

        private Main() {
        }

        public static void main(String[] arguments) throws IOException {
            Path hosts = Path.of(System.getProperty("jdk.net.hosts.file"));
            var options = new Options().withHost(NAME).withPort(0);
            var logger = new RecordingLogger();
            logger.hook = event -> change(hosts);
            try (var group = new EventLoopGroup(options, logger, TestServer::echoTarget, 3)) {
                System.out.println(group.getPort());
                for (var event : logger.events()) {
                    System.out.println(event.value("local_address"));
                }
            }
        }

        private static void change(Path hosts) {
            try {
                Files.writeString(hosts, "127.0.0.2 " + NAME + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
