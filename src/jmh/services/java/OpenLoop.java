import module java.base;

/**
 * Sends requests at a fixed rate, whatever the server does: request k is due k/rate seconds after the start.
 * It waits while no connection is free, and its latency counts from when it was due, so a server that stalls
 * pays for each request that was due meanwhile. Polls without a pause, so it needs a CPU of its own.
 */
final class OpenLoop {

    private static final int CONNECTIONS = 100, WARMUP_SECONDS = 2, LATE_SECONDS = 10;
    private static final int FIRST_MILLIS = 10_000, SILENT_MILLIS = 300;

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

    /**
     * Measures a server whose answers all have one length, and prints the figures as wrk.lua does. A request
     * without an answer has an endless latency. Arguments: a file with a request, requests per second, the
     * port, for how many seconds.
     */
    public static void main(String[] args) throws IOException {
        byte[] request = Files.readAllBytes(Path.of(args[0]));
        double rate = Double.parseDouble(args[1]), seconds = Double.parseDouble(args[3]);
        int port = Integer.parseInt(args[2]), length = answerLength(port, request);
        int warmup = (int) (rate * WARMUP_SECONDS), all = warmup + (int) (rate * seconds);
        OpenLoop loop = new OpenLoop(port, request, length, all);
        loop.turn((long) (1e9 / rate));
        for (SelectionKey key : loop.selector.keys()) key.channel().close();
        loop.selector.close();
        long[] counted = Arrays.copyOfRange(loop.latencies, warmup, all);
        long[] late = Arrays.copyOfRange(loop.delays, warmup, all);
        IO.println("counted requests %d bytes %d seconds %.3f errors %d ".formatted(
                all, (long) loop.answered * length, all / rate, all - loop.answered)
                + "p50_us %d p99_us %d p999_us %d late_us %d".formatted(micros(counted, 0.5),
                        micros(counted, 0.99), micros(counted, 0.999), micros(late, 0.999)));
    }

    /** {@return the length of what a server answers on a new connection, until it is silent} */
    static int answerLength(int port, byte[] request) throws IOException {
        int length = 0;
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(FIRST_MILLIS);
            socket.getOutputStream().write(request);
            for (; socket.getInputStream().read() >= 0; length++) socket.setSoTimeout(SILENT_MILLIS);
        } catch (SocketTimeoutException e) {
            // then that was all
        }
        if (length == 0) throw new IOException("no answer");
        return length;
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
            String problem = count < 0 ? "a connection was closed" : "not the same answer again";
            if (wrong) throw new IOException(problem);
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
