package org.microhttp.wire.model;

import java.math.BigInteger;
import java.util.*;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.microhttp.Header;

/**
 * A second parser, written from RFC 9112 and RFC 9110 with regular expressions over the whole input, to be
 * compared with the real one. Slow and simple: no state survives a request, nothing is incremental. Where a
 * request breaks more than one rule at once it names every status that would do.
 */
public final class ReferenceParser {

    /**
     * What must come of an input: the requests, the index after each, and "outside", "inside" or "refused".
     * A refusal has one of the statuses; if there are some and the end is "inside", it may be refused
     * already.
     */
    public record Verdict(List<Parsed> requests, List<Integer> ends, String end, Set<Integer> statuses) {
    }

    /** Ends the parsing: refused, or more bytes are needed. */
    private static final class Stop extends RuntimeException {

        private static final long serialVersionUID = 1;

        final boolean refused;

        Stop(boolean refused) {
            super(null, null, false, false);
            this.refused = refused;
        }
    }

    /** Names that RFC 9110 §6.5.1 keeps out of trailers; so it does what is named like a family of these. */
    public static final List<String> FORBIDDEN_TRAILERS = List.of("transfer-encoding", "content-length",
            "host", "connection", "keep-alive", "te", "trailer", "upgrade", "expect", "max-forwards",
            "cache-control", "pragma", "range", "if-match", "if-none-match", "if-modified-since",
            "if-unmodified-since", "if-range", "authorization", "proxy-authorization", "proxy-authenticate",
            "proxy-connection", "www-authenticate", "cookie", "set-cookie", "content-type",
            "content-encoding", "content-range", "content-location", "content-language", "date", "location",
            "retry-after", "vary", "age", "expires", "warning", "forwarded", "x-forwarded-for",
            "x-forwarded-host", "x-forwarded-proto");

    static final int MAX_CHUNK_LINE = 1024;

    private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]++";
    private static final String TEXT = "[\\t -~\\x80-\\xFF]";
    private static final String QUOTED = "\"(?:[\\t !#-\\[\\]-~\\x80-\\xFF]|\\\\" + TEXT + ")*+\"";

    private static final Pattern LINE = Pattern.compile(TEXT + "*+");
    private static final Pattern REQUEST_LINE =
            Pattern.compile("(" + TOKEN + ") ([!-~]++) (HTTP/([0-9])\\.[0-9])");
    private static final Pattern FIELD =
            Pattern.compile("(" + TOKEN + "):[ \\t]*+(.*?)[ \\t]*+", Pattern.DOTALL);
    private static final Pattern CHUNK_SIZE = Pattern.compile("[0-9A-Fa-f]+");
    private static final Pattern CHUNK_LINE = Pattern.compile("([0-9A-Fa-f]++)(?:[ \\t]*;[ \\t]*" + TOKEN
            + "(?:[ \\t]*=[ \\t]*(?:" + TOKEN + "|" + QUOTED + "))?)*");
    private static final String CODING = "(" + TOKEN + ")((?:[ \\t]*;[ \\t]*" + TOKEN + "[ \\t]*=[ \\t]*(?:"
            + TOKEN + "|\"(?:[^\"\\\\]|\\\\.)*+\"))*+)";
    private static final Pattern CODINGS = Pattern.compile(CODING + "(?:[ \\t]*,[ \\t]*" + CODING + ")*+");
    private static final Pattern ONE_CODING = Pattern.compile(CODING);
    private static final Pattern OPTIONS =
            Pattern.compile("[ \\t,]*+(?:" + TOKEN + "(?:[ \\t]*,[ \\t,]*|$))*+");
    private static final Pattern FORBIDDEN_FAMILY = Pattern.compile(
            "(?:if-|x-forwarded-).*|.*(?:connection|cookie|authorization|authenticate)");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    private final String text;
    private final RequestLimits limits;
    private final Set<Integer> statuses = new TreeSet<>();
    private int start;
    private int at;
    private String method;
    private String target;
    private String version;
    private List<Header> fields;

    private ReferenceParser(String text, RequestLimits limits) {
        this.text = text;
        this.limits = limits;
    }

    public static Verdict parse(String text, RequestLimits limits) {
        return new ReferenceParser(text, limits).parse();
    }

    private Verdict parse() {
        var requests = new ArrayList<Parsed>();
        var ends = new ArrayList<Integer>();
        try {
            while (true) {
                requests.add(request());
                ends.add(at);
            }
        } catch (Stop stop) {
            String rest = start < text.length() ? "inside" : "outside";
            return new Verdict(requests, ends, stop.refused ? "refused" : rest, statuses);
        }
    }

    private Parsed request() {
        start = at;
        String first = line(start, limits.headerSize(), 414);
        if (first.isEmpty()) {
            start = at;
            first = line(start, limits.headerSize(), 414);
        }
        requestLine(first);
        fields = new ArrayList<>();
        for (String line; !(line = line(start, limits.headerSize(), 431)).isEmpty(); ) {
            fields.add(field(line, fields.size()));
            judgeField();
        }
        judgeHead();
        String body = isPresent("transfer-encoding") ? chunks() : block(length());
        return Parsed.of(method, target, version, fields, body, isPersistent());
    }

    private void refuseIf(boolean broken, Integer... allowed) {
        if (broken) {
            statuses.addAll(Arrays.asList(allowed));
            throw new Stop(true);
        }
    }

    private int room() {
        return limits.requestSize() - (at - start);
    }

    /** The next line of a section of at most so many bytes, its CRLF included; else it is too long. */
    private String line(int section, int max, int tooLong) {
        int left = max - (at - section);
        int limit = at + Math.max(0, Math.min(left, room()));
        int known = Math.min(limit, text.length());
        Matcher matcher = LINE.matcher(text).region(at, known);
        matcher.lookingAt();
        int end = matcher.end();
        refuseIf(end < known && text.charAt(end) != '\r', 400);
        refuseIf(end + 1 < known && text.charAt(end + 1) != '\n', 400);
        if (end + 1 < known) {
            String line = text.substring(at, end);
            at = end + 2;
            return line;
        }
        boolean full = limit <= text.length();
        refuseIf(full && left < room(), tooLong);
        refuseIf(full && left == room(), tooLong, 413);
        refuseIf(full, 413);
        throw new Stop(false);
    }

    private void requestLine(String line) {
        Matcher matcher = REQUEST_LINE.matcher(line);
        refuseIf(!matcher.matches(), 400);
        method = matcher.group(1);
        target = matcher.group(2);
        version = matcher.group(3);
        boolean otherMajor = !matcher.group(4).equals("1");
        boolean connect = method.equals("CONNECT");
        boolean badTarget = !connect && !ReferenceTarget.isServed(target, method);
        if (badTarget) {
            statuses.add(400);
        }
        refuseIf(otherMajor, 505);
        refuseIf(badTarget, 400);
        refuseIf(connect, 501);
    }

    private Header field(String line, int before) {
        Matcher matcher = FIELD.matcher(line);
        boolean valid = matcher.matches();
        refuseIf(before >= limits.fields() && !valid, 400, 431);
        refuseIf(before >= limits.fields(), 431);
        refuseIf(!valid, 400);
        return new Header(matcher.group(1), matcher.group(2));
    }

    /** Judges the newest field by itself and with those before it. */
    private void judgeField() {
        Header field = fields.get(fields.size() - 1);
        String name = field.name().toLowerCase(Locale.ROOT);
        boolean single = Set.of("host", "content-length", "content-type").contains(name);
        refuseIf(single && values(name).size() > 1, 400);
        refuseIf(name.equals("host") && !ReferenceTarget.isAuthority(field.value()), 400);
        refuseIf(name.equals("content-length") && !LENGTH.matcher(field.value()).matches(), 400);
        refuseIf(name.equals("connection") && !OPTIONS.matcher(field.value()).matches(), 400);
        boolean coding = name.equals("transfer-encoding");
        refuseIf(coding && !CODINGS.matcher(field.value()).matches(), 400);
        refuseIf(coding && codings(field.value()).contains("chunked;"), 400);
    }

    private void judgeHead() {
        boolean http10 = isHttp10();
        List<String> codings = values("transfer-encoding").stream().map(ReferenceParser::codings)
                .flatMap(List::stream).toList();
        boolean coded = !codings.isEmpty();
        boolean notLast = coded && codings.indexOf("chunked") != codings.size() - 1;
        boolean unknown = coded && !codings.stream().allMatch("chunked"::equals);
        var broken = new TreeSet<Integer>();
        if (method.equals("TRACE") && (coded || length() > 0)) {
            broken.add(400);
        }
        if (!http10 && !isPresent("host") || coded && (http10 || notLast || isPresent("content-length"))) {
            broken.add(400);
        } else if (unknown) {
            broken.add(501);
        }
        if (!http10 && list("expect").stream().anyMatch(e -> !e.isEmpty() && !e.equals("100-continue"))) {
            broken.add(417);
        }
        if (length() > room()) {
            broken.add(413);
        }
        refuseIf(!broken.isEmpty(), broken.toArray(Integer[]::new));
    }

    private String chunks() {
        var body = new StringBuilder();
        for (int length; (length = chunkSize()) > 0; ) {
            if (room() - length < "\r\n0\r\n\r\n".length()) {
                // it cannot end within the limit any more: refused at the latest when it passes it
                statuses.add(413);
            }
            body.append(block(length));
            refuseIf(at < text.length() && text.charAt(at) != '\r', 400);
            refuseIf(at + 1 < text.length() && text.charAt(at + 1) != '\n', 400);
            block(2);
        }
        int section = at;
        int count = 0;
        for (String line; !(line = line(section, limits.headerSize(), 431)).isEmpty(); count++) {
            refuseIf(isForbiddenTrailer(field(line, count).name()), 400);
        }
        return body.toString();
    }

    public static boolean isForbiddenTrailer(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return FORBIDDEN_TRAILERS.contains(lower) || FORBIDDEN_FAMILY.matcher(lower).matches();
    }

    private int chunkSize() {
        String line = line(at, MAX_CHUNK_LINE, 400);
        Matcher size = CHUNK_SIZE.matcher(line);
        refuseIf(!size.lookingAt(), 400);
        boolean valid = CHUNK_LINE.matcher(line).matches();
        boolean large = new BigInteger(size.group(), 16).compareTo(BigInteger.valueOf(room())) > 0;
        refuseIf(large && !valid, 400, 413);
        refuseIf(large, 413);
        refuseIf(!valid, 400);
        return Integer.parseInt(size.group(), 16);
    }

    private String block(long length) {
        if (length > text.length() - at) {
            throw new Stop(false);
        }
        at += (int) length;
        return text.substring(at - (int) length, at);
    }

    private boolean isHttp10() {
        return version.equals("HTTP/1.0");
    }

    private boolean isPersistent() {
        List<String> options = list("connection");
        return !options.contains("close") && (options.contains("keep-alive") || !isHttp10());
    }

    private long length() {
        return isPresent("content-length") ? Long.parseLong(values("content-length").get(0)) : 0;
    }

    private boolean isPresent(String name) {
        return !values(name).isEmpty();
    }

    private List<String> values(String name) {
        return fields.stream().filter(field -> field.name().equalsIgnoreCase(name)).map(Header::value)
                .toList();
    }

    /** The codings of a field in lower case, each with a semicolon if it has parameters. */
    private static List<String> codings(String value) {
        return ONE_CODING.matcher(value).results()
                .map(m -> m.group(1).toLowerCase(Locale.ROOT) + (m.group(2).isEmpty() ? "" : ";")).toList();
    }

    /** The elements of all fields of a name, in lower case. */
    private List<String> list(String name) {
        return values(name).stream().flatMap(value -> Arrays.stream(value.split(",", -1)))
                .map(element -> element.strip().toLowerCase(Locale.ROOT)).toList();
    }
}
