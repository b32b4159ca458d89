import org.microhttp.measure.Children;

// Starts a server, and prints the time to its first answer and its memory without garbage: at rest, and with
// idle connections. Arguments: a file with a request, the port, the numbers of connections, the command.

static final int SECONDS = 120, CONNECT_MILLIS = 20_000, ANSWER_MILLIS = 10_000;

final List<Socket> sockets = new ArrayList<>();
int port;
byte[] request;

void main(String[] args) throws Exception {
    request = Files.readAllBytes(Path.of(args[0]));
    port = Integer.parseInt(args[1]);
    long start = System.nanoTime();
    List<String> command = List.of(args).subList(3, args.length);
    Process server = Children.start(command, SECONDS, ProcessBuilder.Redirect.INHERIT);
    awaitListening(server);
    ask(1, 1);
    double millis = (System.nanoTime() - start) / 1e6;
    sockets.remove(0).close();
    int length = OpenLoop.answerLength(port, request);
    long pid = server.children().findFirst().orElseThrow().pid();
    var counted = new StringBuilder("counted start_ms %.1f rest_kib %d".formatted(millis, resident(pid)));
    for (String count : args[2].split(",")) {
        ask(Integer.parseInt(count), length);
        counted.append(" idle_%s_kib %d".formatted(count, resident(pid)));
    }
    // they are all still open
    ask(sockets.size(), length);
    IO.println(counted);
}

void awaitListening(Process server) throws Exception {
    long limit = System.nanoTime() + CONNECT_MILLIS * 1_000_000L;
    while (sockets.isEmpty()) {
        try {
            sockets.add(new Socket("127.0.0.1", port));
        } catch (ConnectException e) {
            boolean over = !server.isAlive() || System.nanoTime() - limit > 0;
            if (over) throw new IOException("it does not listen", e);
            Thread.sleep(1);
        }
    }
}

/** Sends a request on each of so many connections, makes those that are missing, and reads so many bytes. */
void ask(int count, int length) throws IOException {
    for (int i = 0; i < count; i++) {
        if (i == sockets.size()) sockets.add(new Socket("127.0.0.1", port));
        Socket socket = sockets.get(i);
        socket.setSoTimeout(ANSWER_MILLIS);
        socket.getOutputStream().write(request);
        int received = socket.getInputStream().readNBytes(length).length;
        if (received < length) throw new IOException("an idle connection was closed");
    }
}

/** {@return its memory in KiB, after it has collected its garbage} */
static long resident(long pid) throws IOException {
    Children.succeed(List.of(System.getProperty("java.home") + "/bin/jcmd", "" + pid, "GC.run"), 30);
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
}
