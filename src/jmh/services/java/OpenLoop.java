import module java.base;
import org.microhttp.measure.Row;

/**
 * Sends requests at a fixed rate, whatever the server does: request k is due k/rate seconds after the start.
 * It waits while no connection is free, and its latency counts from when it was due, so a server that stalls
 * pays for each request that was due meanwhile. Polls without a pause, so it needs a CPU of its own.
 */
final class OpenLoop {

    private static final int CONNECTIONS = 100, WARMUP_SECONDS = 1, LATE_SECONDS = 10;

    private final Selector selector = Selector.open();
    private final ByteBuffer request, received = ByteBuffer.allocateDirect(64 * 1024);
    private final int length;
    private final ArrayDeque<Connection> free = new ArrayDeque<>(CONNECTIONS);
    private final long[] latencies, delays;
    private int answered;

    private static final class Connection {
        int number, received;
        long due, freed;
        SocketChannel channel;
    }

    private OpenLoop(int port, byte[] request, int length, int requests) throws IOException {
        this.request = ByteBuffer.allocateDirect(request.length).put(request);
        this.length = length;
        latencies = new long[requests];
        delays = new long[requests];
        Arrays.fill(latencies, Long.MAX_VALUE);
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = new Connection();
            connection.channel = SocketChannel.open(new InetSocketAddress("127.0.0.1", port));
            connection.channel.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
            connection.channel.register(selector, SelectionKey.OP_READ, connection);
            free.add(connection);
        }
    }

    /** Measures a server whose answers all have one length. What is not answered has an endless latency. */
    static Row run(int port, byte[] request, int length, double rate, double seconds) throws IOException {
        int warmup = (int) (rate * WARMUP_SECONDS), all = warmup + (int) (rate * seconds);
        OpenLoop loop = new OpenLoop(port, request, length, all);
        loop.turn((long) (1e9 / rate));
        for (SelectionKey key : loop.selector.keys()) key.channel().close();
        loop.selector.close();
        long[] counted = Arrays.copyOfRange(loop.latencies, warmup, all);
        return new Row().set("requests", "%d", all).set("seconds", "%.3f", all / rate)
                .set("errors", "%d", all - loop.answered).set("p50_us", "%d", micros(counted, 0.5))
                .set("p99_us", "%d", micros(counted, 0.99)).set("p999_us", "%d", micros(counted, 0.999))
                .set("late_us", "%d", micros(loop.delays, 0.999)).set("rate", "%.0f", rate);
    }

    private static long micros(long[] nanos, double share) {
        Arrays.sort(nanos);
        return nanos[(int) Math.ceil(nanos.length * share) - 1] / 1000;
    }

    private void turn(long gap) throws IOException {
        long start = System.nanoTime();
        long limit = start + gap * latencies.length + LATE_SECONDS * 1_000_000_000L;
        for (int sent = 0; answered < latencies.length && System.nanoTime() - limit < 0; ) {
            while (sent < latencies.length && !free.isEmpty() && System.nanoTime() - start >= gap * sent) {
                send(free.poll(), sent, start + gap * sent++);
            }
            selector.selectNow(this::receive);
        }
    }

    private void send(Connection connection, int number, long due) throws IOException {
        connection.number = number;
        connection.due = due;
        connection.received = 0;
        delays[number] = System.nanoTime() - Math.max(due, connection.freed);
        connection.channel.write(request.rewind());
        if (request.hasRemaining()) throw new IOException("a request was written only in part");
    }

    private void receive(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        try {
            int count = connection.channel.read(received.clear());
            boolean refused = connection.received == 0 && count > 9 && received.get(9) != '2';
            connection.received += count;
            // some servers close connections that are idle for seconds
            boolean idle = count < 0 && free.remove(connection);
            if (idle) connection.channel.close();
            boolean wrong = count < 0 && !idle || refused || connection.received > length;
            if (wrong) throw new IOException("not the same answer again");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (connection.received < length) return;
        connection.freed = System.nanoTime();
        latencies[connection.number] = connection.freed - connection.due;
        answered++;
        free.add(connection);
    }
}
