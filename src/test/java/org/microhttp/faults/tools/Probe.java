package org.microhttp.faults.tools;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.microhttp.tools.RawClient;
import org.microhttp.tools.ServerProcess;

/** One client among many: asks again and again on one connection, and notes how long each answer took. */
public final class Probe implements AutoCloseable {

    private static final byte[] REQUEST = RawClient.GET.getBytes();

    private final Socket socket;
    private final OutputStream out;
    private final InputStream in;
    private final byte[] buffer = new byte[4096];

    public Probe(ServerProcess server) throws IOException {
        socket = server.connect();
        out = socket.getOutputStream();
        in = socket.getInputStream();
    }

    /** The sorted times of one request each millisecond. */
    public long[] run(int seconds) throws IOException {
        var times = new long[seconds * 1000];
        int count = 0;
        for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds); System.nanoTime() < end; ) {
            long began = System.nanoTime();
            ask();
            if (count < times.length) {
                times[count++] = System.nanoTime() - began;
            }
            LockSupport.parkNanos(1_000_000);
        }
        long[] sorted = Arrays.copyOf(times, count);
        Arrays.sort(sorted);
        return sorted;
    }

    private void ask() throws IOException {
        out.write(REQUEST);
        int length = 0;
        do {
            int count = in.read(buffer, length, buffer.length - length);
            if (count < 0) {
                throw new IOException("the probe's connection ended");
            }
            length += count;
        } while (length < 4 || buffer[length - 1] != 'k' || buffer[length - 3] != '\n');
        if (!new String(buffer, 0, 15).equals("HTTP/1.1 200 OK")) {
            throw new IOException("the probe got " + new String(buffer, 0, length));
        }
    }

    /** A percentile in microseconds. */
    public static long percentile(long[] sorted, double percent) {
        return sorted[(int) Math.min(sorted.length - 1, sorted.length * percent / 100)] / 1000;
    }

    public static String describe(long[] sorted) {
        return sorted.length + " requests, microseconds: median " + percentile(sorted, 50) + ", p99 "
                + percentile(sorted, 99) + ", most " + percentile(sorted, 100);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
