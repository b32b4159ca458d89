package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.microhttp.Handler;
import org.microhttp.Header;
import org.microhttp.Request;
import org.microhttp.Response;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.tools.filesystem.InputFile;
import org.microhttp.tools.reporting.Report;
import org.microhttp.tools.reporting.SaidOnce;
import org.microhttp.tools.servertool.DaemonTimer;
import org.microhttp.tools.sitearchive.format.ArchiveBytes;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;

/**
 * Answers from archives, at once: no file is opened for a request, and that of an archive looked at once a
 * millisecond at most. For any number of loops.
 * <p>
 * What is served at a moment is one object, which another replaces between two requests when a thread of
 * this has noticed, opened and checked another archive. An archive that was replaced is closed when the
 * last answer of it was sent.
 */
public final class SiteHandler implements Handler, AutoCloseable {

    private static final String PROGRAM = "SiteArchive";

    /** Ten times as often as is promised: so a file has time to settle, and to be checked. */
    private static final Duration LOOK = Duration.ofMillis(100);

    private final SiteArchives archives;
    private final PrintStream messages;

    /** What is to be said when it is so. */
    private final List<String> lines = new ArrayList<>();
    private final SiteCounter counter = new SiteCounter();
    private final SaidOnce causes;
    private final SiteAnswer notAllowed;
    private final SiteAnswer missing;
    private final SiteAnswer failed;

    /** Null if nothing is watched. */
    private final ScheduledExecutorService timer;
    private volatile Sites sites;
    private boolean closed;

    private SiteHandler(ServeSettings settings, PrintStream messages) throws IOException {
        causes = new SaidOnce(PROGRAM, messages);
        this.messages = messages;
        archives = new SiteArchives(settings, lines::add);
        sites = archives.sites();
        sayLines();
        List<Header> allow = new ArrayList<>(settings.added());
        // RFC 9110 §15.5.6
        allow.add(new Header("Allow", "GET, HEAD"));
        notAllowed = SiteAnswer.of(PlainAnswers.of(405, allow));
        missing = SiteAnswer.of(PlainAnswers.of(404, settings.added()));
        failed = SiteAnswer.of(PlainAnswers.of(500, settings.added()));
        // what is read where it is may be written over there
        boolean looks = settings.watch() || settings.kind() != ArchiveBytes.Kind.MEMORY;
        timer = looks ? DaemonTimer.named("watch") : null;
        if (timer != null) {
            timer.scheduleWithFixedDelay(
                    this::look, LOOK.toMillis(), LOOK.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Opens what is to be served, and checks all of it.
     *
     * @param messages gets a line for each archive that comes, goes or is refused while it serves, and for
     *                 each cause for which requests fail
     * @throws IOException that says which archive is refused, and why
     */
    public static SiteHandler open(ServeSettings settings, PrintStream messages) throws IOException {
        return new SiteHandler(settings, messages);
    }

    @Override
    public void handle(Request request, Consumer<Response> callback) {
        boolean head = request.method().equals("HEAD");
        SiteAnswer answer = head || request.method().equals("GET") ? answer(request) : notAllowed;
        counter.add(answer.response().status(), head ? 0 : answer.bytes());
        callback.accept(answer.response());
    }

    private SiteAnswer answer(Request request) {
        try {
            String sent = request.path();
            // a path without an escape is as it is decoded
            String path = sent.indexOf('%') < 0 ? sent : TargetPath.keyOf(sent);
            SiteAnswer answer = answer(request, path);
            return answer == null ? missing : answer;
        } catch (IOException | RuntimeException | LinkageError e) {
            causes.say(InputFile.reason(e));
            return failed;
        }
    }

    private SiteAnswer answer(Request request, String path) throws IOException {
        while (true) {
            Sites now = sites;
            String host = now.needHost() ? HostName.of(request) : ArchiveFormat.DEFAULT_HOST;
            Site site = now.of(host);
            if (site == null) {
                return null;
            }
            if (site.take()) {
                try {
                    return site.answer(request, host, path);
                } catch (IOException e) {
                    if (now != sites) {
                        // it was cut meanwhile
                        continue;
                    }
                    throw new IOException(site.file() + ": " + InputFile.reason(e), e);
                }
            }
            // another took its place just now, and is there
        }
    }

    /** Looks for other archives. Blocks while they are opened. */
    private synchronized void look() {
        if (closed) {
            return;
        }
        try {
            archives.look(System.nanoTime());
        } catch (RuntimeException | Error e) {
            causes.say(InputFile.reason(e));
        }
        publish(archives.sites());
    }

    /** Answers from now on by these, has what is theirs no more closed when it was sent, and tells of it. */
    private void publish(Sites next) {
        sites = next;
        archives.releaseOld();
        sayLines();
    }

    private void sayLines() {
        lines.forEach(line -> messages.println(PROGRAM + ": " + Report.oneLine(line)));
        lines.clear();
    }

    /** {@return what was answered since the start} */
    public ServeCounts counts() {
        return counter.counts();
    }

    /**
     * Closes the archives; those that are being sent when they have been. Answers all with 404 from then
     * on.
     */
    @Override
    public void close() {
        if (timer != null) {
            timer.shutdown();
        }
        synchronized (this) {
            closed = true;
            archives.close();
            publish(Sites.NONE);
        }
    }
}
