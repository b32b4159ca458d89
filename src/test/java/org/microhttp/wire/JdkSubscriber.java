package org.microhttp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/** Each body subscriber of the JDK, used so that a sum comes of a body that consists of lines of ASCII. */
enum JdkSubscriber {

    STRING((file, size) -> mapped(BodySubscribers.ofString(US_ASCII), JdkSubscriber::sum)),
    BYTE_ARRAY((file, size) -> mapped(BodySubscribers.ofByteArray(), JdkSubscriber::sum)),
    FILE((file, size) -> mapped(BodySubscribers.ofFile(file), JdkSubscriber::sum)),
    INPUT_STREAM((file, size) -> read(BodySubscribers.ofInputStream(), JdkSubscriber::sum)),
    LINES((file, size) -> read(BodySubscribers.ofLines(US_ASCII), JdkSubscriber::sum)),
    PUBLISHER((file, size) -> published(BodySubscribers.ofPublisher())),
    CONSUMER((file, size) -> {
        var consumer = new Sum();
        return mapped(BodySubscribers.ofByteArrayConsumer(piece -> piece.ifPresent(consumer.crc::update)),
                nothing -> consumer.toString());
    }),
    FROM_SUBSCRIBER((file, size) -> mapped(BodySubscribers.fromSubscriber(new Sum(), Sum::toString))),
    FROM_LINE_SUBSCRIBER((file, size) -> mapped(
            BodySubscribers.fromLineSubscriber(new LineSum(), LineSum::toString, US_ASCII, "\n"))),
    DISCARDING((file, size) -> mapped(BodySubscribers.discarding(), nothing -> "discarded")),
    REPLACING((file, size) -> mapped(BodySubscribers.replacing("replaced"))),
    BUFFERING((file, size) -> mapped(BodySubscribers.buffering(new Lists(1000), 1000))),
    MAPPING((file, size) -> mapped(
            BodySubscribers.mapping(BodySubscribers.ofByteArray(), JdkSubscriber::sum))),
    LIMITING((file, size) -> mapped(limiting(BodySubscribers.ofByteArray(), size), JdkSubscriber::sum));

    /** A subscriber, and what comes of its body. */
    record Receiving(BodySubscriber<?> subscriber, CompletionStage<String> result) { }

    private final BiFunction<Path, Long, Receiving> begin;

    JdkSubscriber(BiFunction<Path, Long, Receiving> begin) {
        this.begin = begin;
    }

    /** A new one, for a body of that size; the file is for what is written. */
    Receiving begin(Path file, long size) {
        return begin.apply(file, size);
    }

    /** What comes of that body. */
    String expected(String body) {
        return switch (this) {
            case DISCARDING -> "discarded";
            case REPLACING -> "replaced";
            default -> sum(body);
        };
    }

    private static Receiving mapped(BodySubscriber<String> subscriber) {
        return mapped(subscriber, text -> text);
    }

    private static <T> Receiving mapped(BodySubscriber<T> subscriber, Function<T, String> result) {
        return new Receiving(subscriber, subscriber.getBody().thenApply(result));
    }

    /** A thread reads it as it comes. */
    static <T> Receiving read(BodySubscriber<T> subscriber, Function<T, String> result) {
        return new Receiving(subscriber,
                subscriber.getBody().thenApplyAsync(result, task -> new Thread(task).start()));
    }

    private static Receiving published(BodySubscriber<Flow.Publisher<List<ByteBuffer>>> subscriber) {
        var sum = new Sum();
        return new Receiving(subscriber, subscriber.getBody().thenCompose(publisher -> {
            publisher.subscribe(sum);
            return sum.ended;
        }));
    }

    /** What {@code BodySubscribers.limiting} returns, which JDK 25 has first. */
    @SuppressWarnings("unchecked")
    static <T> BodySubscriber<T> limiting(BodySubscriber<T> subscriber, long capacity) {
        try {
            return (BodySubscriber<T>) BodySubscribers.class
                    .getMethod("limiting", BodySubscriber.class, long.class)
                    .invoke(null, subscriber, capacity);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String sum(String text) {
        return sum(text.getBytes(US_ASCII));
    }

    private static String sum(byte[] bytes) {
        var sum = new Sum();
        sum.crc.update(bytes);
        return sum.toString();
    }

    private static String sum(Path file) {
        try {
            return sum(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sum(InputStream stream) {
        try (stream) {
            return sum(stream.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String sum(Stream<String> lines) {
        return sum(lines.map(line -> line + "\n").collect(Collectors.joining()));
    }

    /** Sums up what it receives, of which it requests one list after the other. */
    private static class Sum implements Flow.Subscriber<List<ByteBuffer>> {

        final CRC32 crc = new CRC32();
        final CompletableFuture<String> ended = new CompletableFuture<>();
        private Flow.Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            subscription.request(1);
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            buffers.forEach(crc::update);
            subscription.request(1);
        }

        @Override
        public void onError(Throwable failure) {
            ended.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            ended.complete(toString());
        }

        @Override
        public String toString() {
            return Long.toHexString(crc.getValue());
        }
    }

    /** The same for lines, which have lost their ends. */
    private static final class LineSum implements Flow.Subscriber<String> {

        private final Sum sum = new Sum();

        @Override
        public void onSubscribe(Flow.Subscription given) {
            sum.onSubscribe(given);
        }

        @Override
        public void onNext(String line) {
            sum.onNext(List.of(ByteBuffer.wrap((line + "\n").getBytes(US_ASCII))));
        }

        @Override
        public void onError(Throwable failure) {
            sum.onError(failure);
        }

        @Override
        public void onComplete() {
            sum.onComplete();
        }

        @Override
        public String toString() {
            return sum.toString();
        }
    }

    /** Sums up lists of so many bytes, but the last may have fewer; fails otherwise. */
    private static final class Lists extends Sum implements BodySubscriber<String> {

        private final int size;
        private boolean last;

        Lists(int size) {
            this.size = size;
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            if (last) throw new IllegalStateException("a list after one that was not full");
            last = buffers.stream().mapToInt(ByteBuffer::remaining).sum() < size;
            super.onNext(buffers);
        }

        @Override
        public CompletionStage<String> getBody() {
            return ended;
        }
    }
}
