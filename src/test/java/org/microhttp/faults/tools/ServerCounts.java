package org.microhttp.faults.tools;

import java.io.IOException;
import java.util.Arrays;
import org.microhttp.testing.ServerProcess;

/**
 * What a {@link FaultServer} says of itself.
 *
 * @param open     connections that are
 * @param accepted connections that there were
 * @param buffered bytes that the budget counts
 * @param received bytes that were read
 * @param refused  requests that were
 */
public record ServerCounts(long open, long accepted, long buffered, long received, long refused) {

    public static ServerCounts of(ServerProcess server) throws IOException {
        long[] values = Arrays.stream(server.ask("counts").split(" ")).mapToLong(Long::parseLong).toArray();
        return new ServerCounts(values[0], values[1], values[2], values[3], values[4]);
    }
}
