package org.microhttp.wire.conformance;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.microhttp.testing.RawResponse;

/**
 * Judges what a connection brought by the rules of its case. A rule is a conjunction of atoms; an atom is
 * about the connection, or about a response, the first one unless it begins with r2. or such.
 */
record ConformanceRules(ConformanceCase rules, ConformanceClient client) {

    enum Verdict { PASS, WARN, FAIL }

    private static final Set<Integer> REFUSALS = Set.of(400, 411, 413, 414, 417, 421, 422, 431, 501, 505);

    private static final Pattern COUNT = Pattern.compile("(n|i100)(<=|>=|=)(\\d+)");
    private static final Pattern NUMBERED = Pattern.compile("r(\\d+)\\.(.*)");
    private static final Pattern FIELD = Pattern.compile("(no)?hdr\\(([^)~]+)\\)");

    Verdict verdict() {
        if (rules.pass().stream().anyMatch(this::holds)) {
            return Verdict.PASS;
        }
        return rules.warn().stream().anyMatch(this::holds) ? Verdict.WARN : Verdict.FAIL;
    }

    private boolean holds(String rule) {
        return Stream.of(rule.split(" & ")).allMatch(this::atom);
    }

    private boolean atom(String atom) {
        if (atom.startsWith("!")) {
            return !atom(atom.substring(1));
        }
        Matcher count = COUNT.matcher(atom);
        if (count.matches()) {
            return compare(count.group(1).equals("n") ? client.responses.size() : continues(), count.group(2),
                    Integer.parseInt(count.group(3)));
        }
        boolean nothing = client.responses.isEmpty() && !client.garbage;
        return switch (atom) {
            case "close" -> nothing && client.closed;
            case "hang" -> nothing && !client.closed && client.rest.isEmpty();
            case "closed" -> client.closed;
            case "early100" -> client.early;
            case "silent" -> client.silent;
            case "noextra" -> !client.garbage && client.rest.isEmpty();
            case "all.2xx" -> !client.responses.isEmpty()
                    && client.responses.stream().allMatch(response -> response.status() / 100 == 2);
            case "all.echo" -> IntStream.range(0, rules.echoes()).allMatch(i -> response(i, "echo"));
            default -> numbered(atom);
        };
    }

    private long continues() {
        return client.interims.stream().filter(r -> r.status() == 100).count();
    }

    private static boolean compare(long left, String operator, long right) {
        return switch (operator) {
            case "<=" -> left <= right;
            case ">=" -> left >= right;
            default -> left == right;
        };
    }

    private boolean numbered(String atom) {
        Matcher numbered = NUMBERED.matcher(atom);
        return numbered.matches() ? response(Integer.parseInt(numbered.group(1)) - 1, numbered.group(2))
                : response(0, atom);
    }

    private boolean response(int index, String atom) {
        if (index >= client.responses.size()) {
            return false;
        }
        RawResponse response = client.responses.get(index);
        int status = response.status();
        return switch (atom) {
            case "any" -> true;
            case "acc" -> status >= 200 && status < 500 && !REFUSALS.contains(status);
            case "rej" -> REFUSALS.contains(status);
            case "echo" -> rules.echo(index) == null || rules.echo(index).equals(response.text());
            // what is not complete is none of the responses
            case "complete" -> true;
            case "delim" -> response.header("Content-Length") != null || Set.of(204, 304).contains(status)
                    || client.closed;
            default -> atom.matches("\\dxx|\\d{3}") ? atom.replace("xx", "").equals(prefix(status, atom))
                    : field(response, atom);
        };
    }

    /** As many digits of the status as the atom, such as 2xx or 204, states. */
    private static String prefix(int status, String atom) {
        return Integer.toString(status).substring(0, atom.replace("xx", "").length());
    }

    private static boolean field(RawResponse response, String atom) {
        Matcher field = FIELD.matcher(atom);
        if (!field.matches()) {
            throw new IllegalArgumentException("unknown atom " + atom);
        }
        return (response.header(field.group(2)) == null) == (field.group(1) != null);
    }
}
