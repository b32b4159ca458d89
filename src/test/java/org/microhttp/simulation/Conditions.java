package org.microhttp.simulation;

import java.time.Duration;
import java.util.*;
import org.microhttp.Options;
import org.microhttp.simulation.network.Machine;
import org.microhttp.wire.model.ParserVector;
import org.microhttp.wire.model.RequestLimits;

/**
 * What a world is like.
 *
 * @param limits      of a request, by which what clients send is judged
 * @param sharedPort  whether every loop of a group listens; else the first accepts for all. One loop without
 *                    is a group of one
 * @param clients     how many connect
 * @param span        in how many nanoseconds they do
 * @param descriptors how many files may be open
 * @param mostReady   of how many keys a select tells at most
 * @param logged      whether the logger is enabled
 * @param costs       how long calls take
 * @param door        where clients come in
 * @param additions   what the program does besides answering
 * @param share       how large a small answer is, where a turn of the loop writes little: four times that of
 *                    small answers, and eight times that of large ones; 0 for what is usual
 */
record Conditions(RequestLimits limits, int loops, boolean sharedPort, int clients, long span,
                  Handlers handlers, Contents contents, Network network, Settings settings, int descriptors,
                  int mostReady, boolean logged, Machine.Costs costs, ListenConditions door,
                  Additions additions, int share) {

    /** Whether a planted fault is looked for: streams, uploads and upgrades are frequent, worlds small. */
    static final boolean SEARCHES = Integer.getInteger("microhttp.worlds") != null;

    private static final int NO_LIMIT = Integer.MAX_VALUE;

    /** The largest limit of a request of which a received body may be some times larger. */
    private static final int MOST_TIMES_MORE = 10_000;
    private static final RequestLimits SMALL = new RequestLimits(2000, 800, 12);
    private static final List<RequestLimits> ALL_LIMITS = ClientInputs.allLimits();
    private static final long MILLI = 1_000_000;

    /**
     * What the handler does.
     *
     * @param late      in 100, how many requests are answered later
     * @param odd       in 100, how many are handled in a way that a handler should not
     * @param large     in 100, how many answers are large
     * @param time      how long a late answer takes at most, in nanoseconds
     * @param longTurns how long it blocks at most; 0 for not at all
     */
    record Handlers(int late, int odd, int large, long time, long longTurns) {

        static Handlers random(SplittableRandom random, boolean mayBlock) {
            return new Handlers(pick(random, 0, 20, 60), pick(random, 0, 5, 20), pick(random, 0, 0, 3, 15),
                    pick(random, MILLI, 200 * MILLI, 5_000 * MILLI),
                    mayBlock && random.nextInt(4) == 0 ? pick(random, 10 * MILLI, 3_000 * MILLI) : 0);
        }
    }

    /**
     * What the bodies of its answers are, and who receives those of requests.
     *
     * @param others   in 100, how many are no arrays
     * @param mishaps  in 100, of how many of these something goes wrong
     * @param streamed in 100, how many a publisher signals
     * @param upgraded in 100, how many clients may get another protocol
     * @param received in 100, how many bodies of requests are received as they come
     */
    record Contents(int others, int mishaps, int streamed, int upgraded, int received) {

        static Contents random(SplittableRandom random) {
            return new Contents(pick(random, 0, 20, 60), pick(random, 0, 0, 3, 20),
                    SEARCHES ? pick(random, 20, 80) : pick(random, 0, 0, 20, 80),
                    SEARCHES ? pick(random, 0, 50, 90) : pick(random, 0, 0, 10, 50),
                    SEARCHES ? pick(random, 20, 90) : pick(random, 0, 0, 20, 90));
        }

        Contents without(Set<Simplification> omitted) {
            return new Contents(omitted.contains(Simplification.BODIES) ? 0 : others,
                    omitted.contains(Simplification.MISHAPS) ? 0 : mishaps,
                    omitted.contains(Simplification.STREAMS) ? 0 : streamed,
                    omitted.contains(Simplification.UPGRADES) ? 0 : upgraded,
                    omitted.contains(Simplification.UPLOADS) ? 0 : received);
        }
    }

    /**
     * What a program has besides a handler.
     *
     * @param wrapped in 100, how many responses are made of one of another handler
     * @param noticed in 100, how many requests have actions for when nobody waits for the response
     * @param errors  what is added to the server's own responses
     */
    record Additions(int wrapped, int noticed, ErrorFields.Kind errors) {

        private static final int MOST_NOTICES = 3;
        private static final WrapperBehaviour[] WRAPPINGS = WrapperBehaviour.values();

        /** Clients of a Unix domain socket have no address that says whose a response is. */
        static Additions random(SplittableRandom random, ListenConditions door) {
            ErrorFields.Kind errors = pick(random, ErrorFields.Kind.NONE, ErrorFields.Kind.NONE,
                    ErrorFields.Kind.RIGHT, ErrorFields.Kind.ODD);
            return new Additions(pick(random, 0, 10, 50), pick(random, 0, 10, 50),
                    door.unix() ? ErrorFields.Kind.NONE : errors);
        }

        WrapperBehaviour wrapping(SplittableRandom random) {
            boolean some = random.nextInt(100) < wrapped;
            return some ? WRAPPINGS[1 + random.nextInt(WRAPPINGS.length - 1)] : WrapperBehaviour.NONE;
        }

        int notices(SplittableRandom random) {
            return random.nextInt(100) < noticed ? 1 + random.nextInt(MOST_NOTICES) : 0;
        }

        Additions without(Set<Simplification> omitted) {
            return new Additions(omitted.contains(Simplification.WRAPPING) ? 0 : wrapped,
                    omitted.contains(Simplification.NOTICES) ? 0 : noticed,
                    omitted.contains(Simplification.ERROR_FIELDS) ? ErrorFields.Kind.NONE : errors);
        }
    }

    /**
     * What the kernel does between server and clients, and what goes wrong there.
     *
     * @param sendBuffer    what a socket takes at most that the client has not read
     * @param receiveBuffer what it takes of the client
     * @param partial       in 100, how many reads and writes are cut short
     * @param faults        in a million, how many calls of the machine fail; 0 for none
     * @param pauses        how often the whole machine stands still
     * @param latency       nanoseconds from one side to the other
     */
    record Network(int sendBuffer, int receiveBuffer, int partial, int faults, int pauses, long latency) {

        static Network random(SplittableRandom random) {
            return new Network(pick(random, 300, 5_000, 60_000, 400_000, 8_000_000),
                    pick(random, 100, 5_000, 200_000), pick(random, 0, 10, 60),
                    random.nextInt(4) == 0 ? random.nextInt(1, 5_000) : 0,
                    random.nextInt(8) == 0 ? random.nextInt(1, 4) : 0, pick(random, 0L, 50_000L, 20 * MILLI));
        }

        Network without(Set<Simplification> omitted) {
            return new Network(sendBuffer, receiveBuffer, omitted.contains(Simplification.PARTIAL) ? 0
                    : partial,
                    omitted.contains(Simplification.FAULTS) ? 0 : faults,
                    omitted.contains(Simplification.PAUSES) ? 0 : pauses, latency);
        }
    }

    /** What the server's options are, but the limits of a request; {@link #NO_LIMIT} for what is not set. */
    record Settings(int readBuffer, Duration socketTimeout, Duration requestTimeout, Duration handlerTimeout,
                    Duration streamTimeout, Duration resolution, int maxConnections, int maxPending,
                    long maxBytes, int backlog, boolean streamsMore, int receiveRate) {

        static Settings random(SplittableRandom random, RequestLimits limits, int loops, Duration resolution,
                               boolean crowded, boolean tight) {
            int size = limits.requestSize();
            return new Settings(size > 4096 ? pick(random, 4096, 65_536, 65_536) : pick(random, 7, 100, 4096),
                    millis(random, 500, 3_000, 75_000), millis(random, 800, 5_000, 60_000),
                    millis(random, 300, 4_000, 300_000), millis(random, 300, 4_000, 300_000), resolution,
                    crowded ? random.nextInt(1, 20) : NO_LIMIT,
                    random.nextInt(loops > 1 ? 2 : 5) == 0 && !SEARCHES ? random.nextInt(1, 6) : NO_LIMIT,
                    tight ? size + random.nextInt(size) : 0,
                    random.nextInt(6) == 0 ? random.nextInt(1, 6) : 0,
                    size <= MOST_TIMES_MORE && limits.headerSize() <= size && random.nextBoolean(),
                    pick(random, 0, 20, 500, 1 << 14));
        }
    }

    /** Draws in an order on which it depends which world a seed is. */
    static Conditions random(SplittableRandom random) {
        RequestLimits limits = SEARCHES ? pick(random, ParserVector.DEFAULT_LIMITS, SMALL)
                : pick(random, ParserVector.DEFAULT_LIMITS, ParserVector.DEFAULT_LIMITS, SMALL,
                        ALL_LIMITS.get(random.nextInt(ALL_LIMITS.size())));
        int clients = random.nextInt(8) == 0 && !SEARCHES ? random.nextInt(1, 400) : random.nextInt(1, 60);
        boolean slow = random.nextInt(6) == 0;
        int cost = pick(random, 100, 1_000, slow ? 300_000 : 10_000);
        Duration resolution = millis(random, 1, 10, 100, 100, 1000);
        boolean crowded = random.nextInt(4) == 0;
        // where nothing takes time, and all happens at certain milliseconds; no turn is long
        boolean exact = random.nextInt(6) == 0;
        int loops = random.nextInt(10) == 0 ? random.nextInt(2, 5) : 1;
        boolean tight = random.nextInt(6) == 0 && !SEARCHES;
        ListenConditions door = ListenConditions.random(random.split());
        Additions additions = Additions.random(random.split(), door);
        return new Conditions(limits, loops, loops == 1 ? random.nextInt(12) > 0 : random.nextInt(4) > 0,
                clients, pick(random, 0L, 50 * MILLI, 5_000 * MILLI), Handlers.random(random, !exact),
                Contents.random(random), Network.random(random),
                Settings.random(random, limits, loops, resolution, crowded, tight),
                random.nextInt(6) == 0 ? random.nextInt(2, 30) : NO_LIMIT,
                random.nextInt(6) == 0 ? random.nextInt(1, 4) : NO_LIMIT,
                random.nextInt(SEARCHES ? 2 : 4) == 0,
                exact ? new Machine.Costs(0, 0, 0, 0, 0, pick(random, 1, 10, 100) * (int) MILLI)
                        : new Machine.Costs(random.nextInt(100), cost, cost, cost,
                                1 + random.nextInt(1000), 1), door, additions,
                random.nextInt(6) == 0 ? pick(random, 100, 500, 5_000) : 0);
    }

    /** The same without some of what makes it odd. */
    Conditions without(Set<Simplification> omitted) {
        return new Conditions(limits, omitted.contains(Simplification.GROUP) ? 1 : loops, sharedPort,
                clients, span,
                handlers, contents.without(omitted), network.without(omitted), settings, descriptors,
                mostReady, logged && !omitted.contains(Simplification.LOG), costs, door.without(omitted),
                additions.without(omitted), share);
    }

    @SafeVarargs
    static <T> T pick(SplittableRandom random, T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private static Duration millis(SplittableRandom random, Integer... choices) {
        return Duration.ofMillis(pick(random, choices));
    }

    /** Those of the server. */
    Options options() {
        Options options = new Options().withHost("127.0.0.1").withPort(0)
                .withReadBufferSize(settings.readBuffer).withMaxRequestSize(limits.requestSize())
                .withMaxHeaderSize(limits.headerSize()).withMaxHeaders(limits.fields())
                .withSocketTimeout(settings.socketTimeout).withRequestTimeout(settings.requestTimeout)
                .withHandlerTimeout(settings.handlerTimeout).withStreamTimeout(settings.streamTimeout)
                .withResolution(settings.resolution)
                .withMaxBufferedBytes(settings.maxBytes).withAcceptLength(settings.backlog)
                .withMaxPendingRequests(limitsPending() ? settings.maxPending : Options.NO_LIMIT)
                .withProxyProtocol(door.proxied()).withMaxStreamedSize(
                        (long) limits.requestSize() * (streamsMore() ? ClientInputs.MORE : 1))
                .withMinReceiveRate(settings.receiveRate);
        if (limitsConnections()) options = options.withMaxConnections(settings.maxConnections);
        if (door.trusted() != null) options = options.withTrustedProxies(door.trusted());
        if (limitsRequests()) options = options.withMaxRequestsPerConnection(door.requests());
        return options;
    }

    /** Whether it is a group; of one loop, at times. */
    boolean grouped() {
        return loops > 1 || !sharedPort;
    }

    /** How many loops listen: those of a group that can share what they listen at. */
    int listeners() {
        return sharedPort && !door.unix() && !door.inherited() ? loops : 1;
    }

    /** Whether bodies may be received that are too large to be kept. */
    boolean streamsMore() {
        return settings.streamsMore && contents.received > 0 && !limitsPending() && !limitsBytes();
    }

    boolean limitsRequests() {
        return door.requests() != NO_LIMIT;
    }

    boolean limitsPending() {
        return settings.maxPending != NO_LIMIT;
    }

    boolean limitsConnections() {
        return settings.maxConnections != NO_LIMIT;
    }

    boolean limitsBytes() {
        return settings.maxBytes > 0;
    }

    /** What the listen settings.backlog comes to. */
    int queue() {
        return settings.backlog == 0 ? 1024 : settings.backlog;
    }
}
