package org.microhttp.checks.endurance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.microhttp.testing.RawClient;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;

/** R2: out of descriptors, the loop serves on, does not spin, and accepts again when there are some. */
@Tier.Gate
class DescriptorTest {

    @Test
    void servesOnAndAcceptsAgainWhenOutOfDescriptors() throws Exception {
        runOutOfDescriptors(true);
    }

    @Test
    void servesItsFirstRequestWhenOutOfDescriptors() throws Exception {
        runOutOfDescriptors(false);
    }

    private static void runOutOfDescriptors(boolean warm) throws Exception {
        ServerProcess.assumePossible();
        try (var server = Descriptors.start("-Dlog=" + warm)) {
            if (warm) {
                try (var client = new RawClient(server.process.port)) {
                    client.send(RawClient.GET).expectOk("/");
                }
            }
            List<RawClient> clients = Descriptors.connect(server);
            List<RawClient> served = Descriptors.served(clients);
            assertTrue(served.size() > 10 && served.size() < 80, served.size() + " connections are served");
            long used = Descriptors.cpuMillis(server, served.get(0), 1_000);
            assertTrue(used < 300, "used " + used + " ms of a second, though connections only wait");
            if (warm) assertLoggedOnce(server.process.ask("accept_error"));
            assertTrue(Descriptors.recovers(clients, served), "one that waited is served");
            RawClient last = served.get(served.size() - 1);
            assertTrue(Descriptors.isServed(last, 20_000), "one that was served is served");
            assertTrue(server.process.process.isAlive());
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    /** Accepts now fail ten times a second; a log that has each would drown what else happens. */
    private static void assertLoggedOnce(String count) {
        int errors = Integer.parseInt(count);
        assertTrue(errors > 0 && errors < 5, "accept_error was logged " + errors + " times in two seconds; "
                + "of accepts that fail one after the other only the first may be logged");
    }
}
