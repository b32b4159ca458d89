import org.microhttp.measure.*;
import org.microhttp.versions.Requests;

// Measures services by turns: each round measures all, beginning with another one each time.

static final String ORDER = "{\"user\":42,\"item\":\"teapot\",\"count\":3}";
static final List<String> FIELDS = List.of("content-type: " + Orders.JSON,
        "cache-control: " + Orders.CACHE, "etag: " + Orders.tag("42"));

/** What is sent, and what the answer must have. */
record Load(String name, String text, int status, String answer) {

    byte[] request() { return text.getBytes(StandardCharsets.ISO_8859_1); }

    boolean isAnsweredBy(String text) {
        return text.startsWith("HTTP/1.1 " + status + " ") && text.contains(answer) && (this == HELLO
                || text.toLowerCase(Locale.ROOT).lines().toList().containsAll(FIELDS));
    }
}

static final Load HELLO = new Load("hello", "GET / HTTP/1.1\r\nHost: a\r\n\r\n", 200, Orders.HELLO);
static final Load GET = new Load("get", new String(Requests.BROWSER, StandardCharsets.ISO_8859_1)
        .replaceFirst(" \\S+ ", " /users/42/orders?limit=5 "), 200, Orders.list("42", "5"));
static final Load POST = new Load("post", "POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: " + Orders.JSON
        + "\r\nContent-Length: " + ORDER.length() + "\r\n\r\n" + ORDER, 201, Orders.add(ORDER));

/** A JVM is warm when its compiler took less than this of a second under load, or after so many more. */
static final double COMPILED = 0.03;
static final int MORE_SECONDS = 20, FIRST_MILLIS = 10_000, SILENT_MILLIS = 300, AT_MOST = 7200;

/** The JVM itself chooses this collector on one CPU. The second heap is as large as is needed. */
static final List<String> HEAP = List.of("-XX:+UseSerialGC", "-Xms256m", "-Xmx256m"),
        GROWING = List.of("-XX:+UseSerialGC", "-Xms16m", "-Xmx2g", "-XX:-ShrinkHeapInSteps");
static final String BIN = System.getProperty("java.home") + "/bin/";
static final Pattern COUNTED = Pattern.compile("(requests|seconds|errors|p50_us|p99_us) ([0-9.]+)");

record Running(String service, Path log, PinnedServer process) {

    /** With a log only one kind of load is measured. */
    List<Load> loads() { return log == null ? List.of(HELLO, GET, POST) : List.of(GET); }

    long logged() throws IOException { return log == null ? 0 : Files.size(log); }

    Row row(String scenario) {
        return new Row().set("server", "%s", service).set("scenario", "%s", scenario)
                .set("log", "%s", log == null ? "no" : "yes");
    }
}

Path folder;
String logs = "both", script, cpus;
int rate = 0, rounds, loops, warmup, seconds;
List<Integer> idle;
ResultFile result;

void main(String[] args) throws Exception {
    Children.endAfter(AT_MOST);
    var given = new Arguments("src/jmh/services/run --help lists the options", List.of(args), 3);
    folder = Path.of(args[0]);
    script = args[1];
    cpus = args[2];
    rounds = given.integer("--rounds", "3", "[1-9][0-9]?");
    seconds = given.integer("--seconds", "3", "[1-9][0-9]?");
    warmup = given.integer("--warmup", "3", "[0-9]{1,2}");
    loops = given.integer("--loops", "1", "[1-9]");
    rate = given.integer("--rate", "0", "[0-9]{1,6}");
    idle = given.numbers("--idle", "1000,10000", "[1-9][0-9]{0,4}");
    logs = given.take("--access-log", "both");
    if (!List.of("on", "off", "both").contains(logs)) throw given.wrong("--access-log " + logs);
    Path file = Path.of(given.take("--result", "services.tsv"));
    given.end();
    result = ResultFile.read(folder.resolve("facts"));
    result.facts().put("rounds", rounds + " of " + seconds + " s, loops: " + loops);
    measure();
    result.rows().sort(Comparator.comparing(row -> row.values().size()));
    result.write(file);
    String failed = result.facts().get("failed");
    if (failed != null) IO.println("FAILED: " + failed);
    System.exit(failed == null ? 0 : 1);
}

void measure() throws Exception {
    // each a name, whether there is an access log, and the end of a command
    List<List<String>> services = new ArrayList<>(Files.readAllLines(folder.resolve("servers")).stream()
            .map(line -> List.of(line.split(" +"))).toList());
    for (int round = 1; round <= rounds; round++, Collections.rotate(services, -1)) {
        for (List<String> service : services) add(service.get(0), round, () -> memory(service));
    }
    List<Running> all = new ArrayList<>();
    for (List<String> service : services) {
        if (!logs.equals("on")) all.add(warm(start(service, false, HEAP)));
        boolean logged = !logs.equals("off") && service.get(1).equals("yes");
        if (logged) all.add(warm(start(service, true, HEAP)));
    }
    for (int round = 1; round <= rounds; round++, Collections.rotate(all, -1)) {
        for (Running one : all) {
            for (Load load : one.loads()) {
                add(one.service, round, () -> measured(one, load.name, () -> wrk(one, load, seconds)));
            }
        }
        if (rate == 0) rate = (int) (0.6 * result.rows().stream()
                .filter(row -> row.text("scenario").equals("get"))
                .mapToDouble(row -> row.number("requests") / row.number("seconds")).min().orElseThrow());
        for (Running one : all) {
            add(one.service, round, () -> measured(one, "open", () -> OpenLoop.run(one.process.port(),
                    GET.request(), answer(one.process.port(), GET).length(), rate, 2 * seconds)));
        }
    }
}

Running start(List<String> service, boolean logged, List<String> heap) throws IOException {
    int port = PinnedServer.freePort();
    Path own = Files.createDirectory(folder.resolve("" + port)), log = logged ? own.resolve("log") : null;
    List<String> command = new ArrayList<>(heap);
    command.addAll(0, List.of(BIN + "java", "-Dport=" + port, "-Dloops=" + loops,
            "-Djdk.virtualThreadScheduler.parallelism=" + loops));
    if (logged) command.add("-Dlog=" + log);
    command.addAll(service.subList(2, service.size()));
    return new Running(service.get(0), log, new PinnedServer(command, own, port, cpus, AT_MOST));
}

/** Fails if it does not answer rightly. The compiler shares the server's CPU, so it must be done. */
Running warm(Running one) throws IOException {
    for (Load load : List.of(HELLO, GET, POST)) answer(one.process.port(), load);
    for (Load load : one.loads()) {
        for (int second = 1; second <= warmup + (warmup == 0 ? 1 : MORE_SECONDS); second++) {
            double before = one.process.compilerTime().total();
            wrk(one, load, 1);
            if (second >= warmup && one.process.compilerTime().total() - before < COMPILED) break;
        }
    }
    if (one.log != null && one.logged() == 0) throw new IOException(one.service + " has logged nothing");
    return one;
}

/** {@return all that a server answers on a new connection, until it is silent; it must be right} */
static String answer(int port, Load load) throws IOException {
    StringBuilder answer = new StringBuilder();
    try (Socket socket = new Socket("127.0.0.1", port)) {
        socket.setSoTimeout(FIRST_MILLIS);
        socket.getOutputStream().write(load.request());
        for (int b; (b = socket.getInputStream().read()) >= 0; socket.setSoTimeout(SILENT_MILLIS)) {
            answer.append((char) b);
        }
    } catch (SocketTimeoutException e) {
        // then that was all
    }
    if (load.isAnsweredBy("" + answer)) return "" + answer;
    throw new IOException("port " + port + ", " + load + ", but answered:\n" + answer);
}

/** Adds a line to the result. What fails, or has errors, is named there and does not end the run. */
void add(String service, int round, Callable<Row> measured) {
    try {
        Row row = measured.call().set("round", "%d", round);
        result.rows().add(row);
        IO.println(row.values());
        if (row.number("errors") > 0) throw new IOException(row.text("scenario") + " with errors");
    } catch (Exception e) {
        String failure = (service + ", round " + round + ": " + e).replaceAll("\\s+", " ");
        result.facts().merge("failed", failure, (all, more) -> all + "; " + more);
    }
}

static Row measured(Running one, String scenario, Callable<Row> load) throws Exception {
    Row row = one.row(scenario);
    long logged = one.logged();
    CpuMeter meter = new CpuMeter(one.process);
    row.values().putAll(load.call().values());
    CpuMeter.Spent spent = meter.stop();
    return row.set("user_s", "%.2f", spent.server().user()).set("system_s", "%.2f", spent.server().system())
            .set("others_s", "%.2f", spent.others()).set("resident_kib", "%d", one.process.resident())
            .set("log_bytes", "%d", one.logged() - logged);
}

Row wrk(Running one, Load load, int seconds) throws IOException {
    Path request = Files.write(folder.resolve(load.name), load.request());
    String output = Children.succeed(List.of("wrk", "-t1", "-c100", "-d" + seconds, "--timeout", "5", "-s",
            script, "http://127.0.0.1:" + one.process.port(), "--", "request", "" + request), seconds + 30);
    Row row = new Row();
    COUNTED.matcher(output).results().forEach(value -> row.set(value.group(1), "%s", value.group(2)));
    return row;
}

/** The time to the first answer, and memory without garbage: at rest, and with idle connections. */
Row memory(List<String> service) throws IOException {
    long start = System.nanoTime();
    Running one = start(service, false, GROWING);
    List<Socket> sockets = new ArrayList<>();
    try {
        ask(one, sockets, 1, 1);
        double millis = (System.nanoTime() - start) / 1e6;
        sockets.remove(0).close();
        int length = answer(one.process.port(), HELLO).length();
        Row row = one.row("memory").set("start_ms", "%.1f", millis).set("rest_kib", "%d", collected(one));
        for (int connections : idle) {
            ask(one, sockets, connections, length);
            row.set("idle_" + connections + "_kib", "%d", collected(one));
        }
        ask(one, sockets, sockets.size(), length);
        return row;
    } finally {
        one.process.end();
        for (Socket socket : sockets) socket.close();
    }
}

/** Sends a request on each of so many connections, makes those that are missing, and reads so many bytes. */
static void ask(Running one, List<Socket> sockets, int count, int length) throws IOException {
    for (int i = 0; i < count; i++) {
        if (i == sockets.size()) sockets.add(new Socket("127.0.0.1", one.process.port()));
        Socket socket = sockets.get(i);
        socket.setSoTimeout(FIRST_MILLIS);
        socket.getOutputStream().write(HELLO.request());
        if (socket.getInputStream().readNBytes(length).length < length) {
            throw new IOException(one.service + " has closed an idle connection");
        }
    }
}

static long collected(Running one) throws IOException {
    Children.succeed(List.of(BIN + "jcmd", "" + one.process.pid(), "GC.run"), 30);
    return one.process.resident();
}
