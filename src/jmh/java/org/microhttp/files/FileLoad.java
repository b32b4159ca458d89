package org.microhttp.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.measure.LoadCount;

/** A run of a load generator, wrk or ab. */
final class FileLoad {

    /** Where a run has a number of requests it still ends. */
    private static final int SECONDS_AT_MOST = 120;

    private FileLoad() { }

    /** The command, but for the CPU that it is pinned to. */
    static List<String> command(FileCase asked, int connections, double seconds, String script, String url) {
        String target = asked.content().size > 0 ? asked.content().target() : "/";
        if (asked.part() != FilePart.OLDEST) {
            return List.of("wrk", "-t1", "-c" + connections, "-d" + (int) Math.ceil(seconds) + "s",
                    "--timeout", "60s", "-s", script, url + target);
        }
        List<String> command = new ArrayList<>(List.of("ab", "-q", "-c", "" + connections));
        if (asked.keepAlive()) command.add("-k");
        int most = asked.requests() > 0 ? SECONDS_AT_MOST : (int) Math.ceil(seconds);
        int requests = asked.requests() > 0 ? asked.requests() : 10_000_000;
        command.addAll(List.of("-t", "" + most, "-n", "" + requests, url + target));
        return command;
    }

    static LoadCount run(FileCase asked, int connections, double seconds, ServedSite server, FilePlan plan,
                         MeasuredSite site) throws IOException {
        Path script = Files.createTempFile("wrk", ".lua");
        Files.writeString(script, script(asked, "" + site.list()));
        List<String> command = new ArrayList<>(List.of("taskset", "-c", plan.clientCpu()));
        command.addAll(command(asked, connections, seconds, "" + script, server.url(asked)));
        double beyond = asked.requests() > 0 ? SECONDS_AT_MOST : 30;
        boolean old = asked.part() == FilePart.OLDEST;
        try {
            return LoadCount.run(command, seconds, beyond, old ? FileLoad::parseAb : LoadCount::parse);
        } finally {
            Files.delete(script);
        }
    }

    static String script(FileCase asked, String list) {
        String close = asked.keepAlive() ? "" : "wrk.headers[\"Connection\"] = \"close\"\n";
        boolean coded = asked.content() == ServedContent.GZIP;
        String gzip = coded ? "wrk.headers[\"Accept-Encoding\"] = \"gzip\"\n" : "";
        boolean many = asked.content().size == 0;
        return close + gzip + (many ? LoadCount.inOrder(list) : "") + LoadCount.DONE;
    }

    static LoadCount parseAb(String output) throws IOException {
        long failed = (long) value(output, "Failed requests:");
        long refused = output.contains("Non-2xx") ? (long) value(output, "Non-2xx responses:") : 0;
        return new LoadCount((long) value(output, "Complete requests:"),
                (long) value(output, "Total transferred:"), value(output, "Time taken for tests:"),
                failed + refused, 0, 0);
    }

    private static double value(String output, String name) throws IOException {
        Matcher value = Pattern.compile(name + " +([0-9.]+)").matcher(output);
        if (!value.find()) throw new IOException("no result: " + output.strip());
        return Double.parseDouble(value.group(1));
    }
}
