package mcp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import org.microhttp.*;
import org.microhttp.tools.reporting.Json;

/** A call of a tool, which has a thread, and the event stream that answers it: progress, then the result. */
final class Call {

    /** How many events may wait for the client; when there are half as many, it gets no progress. */
    private static final int CAPACITY = 32;

    private final SubmissionPublisher<ByteBuffer> events = new SubmissionPublisher<>(Runnable::run, CAPACITY);
    private final FutureTask<?> work;
    private final Message message;

    Call(Message message, Tool tool, Map<?, ?> arguments) {
        this.message = message;
        work = new FutureTask<>(() -> run(tool, arguments), null);
    }

    /** {@return the response, with which the work begins, and ends if the client is gone} */
    Response response(Runnable onDone) {
        Flow.Publisher<ByteBuffer> body = subscriber -> {
            events.subscribe(subscriber);
            Handler.blockingExecutor().execute(work);
        };
        return Response.of(200, "text/event-stream",
                Body.of(body).withHeadAtOnce().onReleased(onDone).onReleased(this::cancel));
    }

    /** Ends the stream without a result, and interrupts the tool, which can send nothing any more. */
    void cancel() {
        events.close();
        work.cancel(true);
    }

    private void run(Tool tool, Map<?, ?> arguments) {
        try {
            sendResult("" + tool.call(arguments, this), false);
        } catch (Exception | Error e) {
            sendResult("" + e.getMessage(), true);
        }
        events.close();
    }

    private void sendResult(String text, boolean isError) {
        List<?> content = List.of(Map.of("type", "text", "text", text));
        send("data: " + message.result(Map.of("content", content, "isError", isError)));
    }

    /** Reports progress. Throws an IllegalStateException if the call is cancelled. */
    void progress(long done, long total) {
        Object meta = message.params().get("_meta");
        Object token = meta instanceof Map<?, ?> members ? members.get("progressToken") : null;
        if (events.estimateMaximumLag() < CAPACITY / 2) {
            // without a token it is a comment, which shows whether the client is there
            send(!Message.isId(token) ? ":" : "data: " + Json.text(Map.of("jsonrpc", "2.0",
                    "method", "notifications/progress",
                    "params", Map.of("progressToken", token, "progress", done, "total", total))));
        }
    }

    private void send(String event) {
        events.offer(ByteBuffer.wrap((event + "\n\n").getBytes(StandardCharsets.US_ASCII)), null);
    }
}
