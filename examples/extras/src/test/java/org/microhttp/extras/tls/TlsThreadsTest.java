package org.microhttp.extras.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.microhttp.*;
import org.microhttp.extras.testing.*;
import org.microhttp.testing.*;

/** On no thread of the server its end is waited for, whatever is called there: it would never come. */
@Tier.Program
final class TlsThreadsTest {

    private static final Duration LONG = Duration.ofSeconds(50);

    /** What the server calls. */
    private enum Hook {
        RUNNING, ENGINE, LOGGER, LOGGER_OF_THE_FRONT, RECEIVER, HANDLER, PUBLISHER, RELEASE,
        EXCHANGE_LISTENER, ERROR_HANDLER, ON_STOPPING
    }

    private final AtomicReference<Hook> stopping = new AtomicReference<>();
    private final CompletableFuture<Integer> dropped = new CompletableFuture<>();
    private final RecordingLogger log = new RecordingLogger();
    private TlsServer server;

    private void at(Hook hook) {
        if (stopping.compareAndSet(hook, null)) {
            int count = server.stop(LONG);
            // for its end
            server.start();
            dropped.complete(count);
        }
    }

    private Options options() {
        return TestServer.options().withOnStopping(() -> at(Hook.ON_STOPPING))
                .withExchangeListener(exchange -> at(Hook.EXCHANGE_LISTENER))
                .withErrorHandler(error -> {
                    at(Hook.ERROR_HANDLER);
                    return error.response();
                });
    }

    private TlsSettings settings() throws Exception {
        SSLContext context = TlsSite.FILES.client(TlsSite.FILES);
        return TlsSettings.ofEngines(client -> {
            at(Hook.ENGINE);
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            return engine;
        });
    }

    private Handler handler() {
        return new Handler() {

            @Override
            public Flow.Subscriber<? super List<ByteBuffer>> receiver(Request request) {
                at(Hook.RECEIVER);
                return null;
            }

            @Override
            public void handle(Request request, Consumer<Response> callback) {
                at(Hook.HANDLER);
                Body body = Body.of(TlsThreadsTest.this::publish).onReleased(() -> at(Hook.RELEASE));
                callback.accept(new Response(200, List.of(), body));
            }
        };
    }

    private void publish(Flow.Subscriber<? super ByteBuffer> subscriber) {
        at(Hook.PUBLISHER);
        var publisher = new SubmissionPublisher<ByteBuffer>(Runnable::run, 1);
        publisher.subscribe(subscriber);
        publisher.close();
    }

    /** A client that comes when the server has stopped is refused. */
    private void visit(String request) throws Exception {
        try (var client = new TlsClient(server.getPort(), TlsSite.FILES.client(), "TLSv1.3")) {
            client.send(request).readToEnd();
        } catch (IOException e) {
            // the stop has begun
        }
    }

    private void visitWithoutTls() throws Exception {
        try (var clients = new SilentClients(server.getPort(), TlsSite.FILES.client())) {
            clients.send(new byte[10]).getInputStream().readAllBytes();
        } catch (IOException e) {
            // the stop has begun
        }
    }

    @ParameterizedTest
    @EnumSource
    void aStopOnlyBeginsAndAStartReturns(Hook hook) throws Exception {
        stopping.set(hook);
        log.hook = event -> {
            if (event.equals("read_request")) {
                at(Hook.LOGGER);
            } else if (event.equals("tls_error")) {
                at(Hook.LOGGER_OF_THE_FRONT);
            }
        };
        server = new TlsServer(options(), log, handler(), settings(), 2);
        new Thread(() -> server.start(() -> at(Hook.RUNNING)), "microhttp").start();
        visit("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
        visitWithoutTls();
        visit("BAD\r\n\r\n");
        server.stop(LONG);
        assertEquals(0, dropped.get(30, TimeUnit.SECONDS));
        server.ended().get(30, TimeUnit.SECONDS);
    }
}
