package org.microhttp.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.*;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.*;
import org.microhttp.Response;
import org.microhttp.Server;
import org.microhttp.testing.*;
import org.microhttp.wire.model.*;

/**
 * A running server against random requests, legal and damaged, in random pieces over sockets: it answers what
 * {@link ReferenceParser} accepts, refuses the rest, ends the connection, and goes on serving others.
 */
class RandomRequestTest {

    private static final RequestLimits LIMITS = new RequestLimits(1 << 16, 1 << 13, 50);
    private static final int PATIENCE_MILLIS = 10_000;

    private static final Pattern HEAD = Pattern.compile("HTTP/1\\.1 [1-5][0-9]{2} [\\t -~]*+\\r\\n"
            + "(?:[!-9;-~]++:[\\t -~]*+\\r\\n)*+\\r\\n");

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private Server server;
    private Thread thread;

    @BeforeEach
    void start() throws IOException {
        var options = TestServer.options().withMaxRequestSize(LIMITS.requestSize())
                .withMaxHeaderSize(LIMITS.headerSize()).withMaxHeaders(LIMITS.fields());
        server = ServerKind.LOOP.make(options, (request, callback) -> {
            Response response = TestServer.ok(Parsed.of(request, true).text());
            if (response.body().length() % 2 == 0) {
                callback.accept(response);
            } else {
                executor.execute(() -> callback.accept(response));
            }
        });
        thread = new Thread(server::start, "loop");
        thread.start();
    }

    @AfterEach
    void stop() {
        server.stop();
        TestServer.join(thread);
        executor.shutdown();
    }

    @Test
    void answersWhatIsLegalRefusesTheRestAndServesOn() throws Exception {
        RandomCases.forEach(1_500, this::check);
    }

    private void check(SplittableRandom random) {
        String legal = RequestRenderer.render(random, RequestModel.pipeline(random));
        String text = RandomText.chance(random, 70) ? RequestMutator.mutate(random, legal) : legal;
        ReferenceParser.Verdict verdict = ReferenceParser.parse(text, LIMITS);
        String answers = "";
        try {
            answers = exchange(text, cuts(random, text, verdict), PATIENCE_MILLIS);
            assertAnswers(verdict, text, answers);
            String plain = exchange(RawClient.GET, new TreeSet<>(), 1_000);
            assertTrue(plain.startsWith("HTTP/1.1 200 OK\r\n"), "another connection: " + plain);
        } catch (AssertionError | RuntimeException | IOException e) {
            throw new AssertionError(e + "\n" + LIMITS + "\nsent " + RandomCases.escape(text) + "\ngot  "
                    + RandomCases.escape(answers), e);
        }
    }

    /**
     * Where to cut; not behind a request that asks for the close, since the server may then be gone
     * already.
     */
    private static TreeSet<Integer> cuts(SplittableRandom random, String text,
                                         ReferenceParser.Verdict verdict) {
        int closing = closing(verdict);
        int end = closing < 0 ? text.length() : verdict.ends().get(closing);
        var cuts = new TreeSet<Integer>();
        for (int count = random.nextInt(6); count > 0 && end > 1; count--) {
            cuts.add(1 + random.nextInt(end - 1));
        }
        return cuts;
    }

    /** The index of the request after which the connection does not persist; -1 if there is none. */
    private static int closing(ReferenceParser.Verdict verdict) {
        for (int i = 0; i < verdict.requests().size(); i++) {
            if (!verdict.requests().get(i).persistent()) {
                return i;
            }
        }
        return -1;
    }

    /** Sends the pieces, ends its side, and reads until the server has ended the connection. */
    private String exchange(String text, TreeSet<Integer> cuts, int patience) throws IOException {
        cuts.add(text.length());
        long began = System.nanoTime();
        try (var client = new RawClient(server.getPort())) {
            int from = 0;
            for (int to : cuts) {
                client.send(text.substring(from, to));
                from = to;
            }
            String answers = client.halfClose().readToEnd();
            long millis = (System.nanoTime() - began) / 1_000_000;
            assertTrue(millis < patience, "after " + millis + " ms");
            return answers;
        }
    }

    private static void assertAnswers(ReferenceParser.Verdict verdict, String text, String answers) {
        int closing = closing(verdict);
        List<Parsed> served = closing < 0 ? verdict.requests() : verdict.requests().subList(0, closing + 1);
        int at = 0;
        for (Parsed request : served) {
            at = assertServed(request, answers, at);
        }
        String rest = answers.substring(at);
        if (closing >= 0 || verdict.end().equals("outside")) {
            assertEquals("", rest, "after the last answer");
            return;
        }
        var statuses = new TreeSet<>(verdict.statuses());
        if (verdict.end().equals("inside")) {
            statuses.add(400);
        }
        int start = verdict.ends().isEmpty() ? 0 : verdict.ends().get(verdict.ends().size() - 1);
        assertRefused(statuses, text.substring(start), answers, skipContinue(answers, at));
    }

    /** Interim answers may stand before the final one of a request that expects them. */
    private static int skipContinue(String answers, int at) {
        String interim = "HTTP/1.1 100 Continue\r\n\r\n";
        return answers.startsWith(interim, at) ? at + interim.length() : at;
    }

    private static int assertServed(Parsed request, String answers, int from) {
        String lower = request.text().toLowerCase(Locale.ROOT);
        boolean expecting = lower.contains("\nexpect: 100-continue\n");
        int at = expecting ? skipContinue(answers, from) : from;
        boolean toHead = request.method().equals("HEAD");
        RawResponse response = response(answers, at, toHead);
        assertEquals(200, response.status());
        assertEquals("" + request.text().length(), response.header("Content-Length"));
        assertTrue(request.persistent() || isLast(response), "the close is announced");
        assertEquals(toHead ? "" : request.text(), response.text());
        return at + response.length();
    }

    /** One answer with one of the statuses, with a body unless the request is a HEAD; then nothing. */
    private static void assertRefused(TreeSet<Integer> statuses, String request, String answers, int at) {
        boolean bodiless = answers.endsWith("\r\n\r\n") && request.strip().startsWith("HEAD ");
        RawResponse response = response(answers, at, bodiless);
        assertTrue(statuses.contains(response.status()), "expected " + statuses);
        assertTrue(isLast(response), "the close is announced");
        assertTrue(bodiless || response.body().length > 0, "a refusal without a reason");
        assertEquals(answers.length(), at + response.length(), "what follows the refusal");
    }

    private static boolean isLast(RawResponse response) {
        return "close".equals(response.header("Connection"));
    }

    private static RawResponse response(String answers, int at, boolean toHead) {
        RawResponse response = RawResponse.first(answers.substring(at), toHead);
        assertTrue(response != null && HEAD.matcher(response.head()).matches(), "malformed answer at " + at);
        return response;
    }
}
