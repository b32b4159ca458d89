package org.microhttp.simulation;

import java.util.SplittableRandom;

/**
 * What a handler is going to do with one request: of which client, the how-manieth, how, after how long, and
 * with which response.
 *
 * @param wrapping what it makes of a response inside it
 * @param notices  how many actions it has for when nobody waits for the response
 */
record HandlerPlan(String id, HandlerBehaviour manner, long delay, int status, boolean closing,
        Content content,
             WrapperBehaviour wrapping, int notices) {

    private static final int WRITE_BUFFER = 64 * 1024;

    /** What goes before a body, but the identity and the digits of the length. */
    private static final int HEAD = 90;

    /** How often a socket takes all it can for the largest answer: more would take long, and show no more. */
    private static final int PIECES = 40;

    private static final int[] STATUSES =
            {200, 200, 200, 200, 200, 200, 201, 299, 399, 404, 499, 500, 599, 204, 205, 304};
    private static final HandlerBehaviour[] RARE = HandlerBehaviour.values();

    /** Plans; what is plain is small, and answered at once. */
    static HandlerPlan plan(int client, int index, boolean plain, Conditions conditions,
            SplittableRandom random) {
        HandlerBehaviour manner = HandlerBehaviour.AT_ONCE;
        int dice = plain ? Integer.MAX_VALUE : random.nextInt(100);
        if (dice < conditions.handlers().late()) {
            manner = HandlerBehaviour.LATER;
        } else if (dice < conditions.handlers().late() + conditions.handlers().odd()) {
            manner = RARE[random.nextInt(RARE.length)];
        }
        if (conditions.handlers().longTurns() == 0 && manner == HandlerBehaviour.BLOCK) manner =
                HandlerBehaviour.AT_ONCE;
        long most = manner == HandlerBehaviour.BLOCK ? conditions.handlers().longTurns()
                : conditions.handlers().time();
        String id = "c" + client + "-" + index;
        int size = plain ? Integer.MAX_VALUE : random.nextInt(100);
        int longest = PIECES * conditions.network().sendBuffer();
        int length = size < conditions.handlers().large() ? Math.min(large(id, random), longest)
                : random.nextInt(size < 10 ? 5000 : 100);
        return new HandlerPlan(id, manner, random.nextLong(most + 1),
                STATUSES[random.nextInt(STATUSES.length)], !plain && random.nextInt(40) == 0,
                plain ? Content.array(length, random)
                        : Content.plan(length, longest, conditions.contents(), random),
                plain ? WrapperBehaviour.NONE : conditions.additions().wrapping(random),
                plain ? 0 : conditions.additions().notices(random));
    }

    /** A switch to another protocol, at once or later. */
    HandlerPlan upgrade(SplittableRandom random) {
        return new HandlerPlan(id, manner == HandlerBehaviour.LATER ? manner : HandlerBehaviour.AT_ONCE,
                delay, 101, false,
                Content.upgrade(random), WrapperBehaviour.NONE, notices);
    }

    /** Of a few write buffers at most, or of some; exactly so many, at times, or nearly. */
    private static int large(String id, SplittableRandom random) {
        int dice = random.nextInt(20);
        if (dice == 0) return random.nextInt(Content.MAX_LENGTH);
        if (dice > 3) return random.nextInt(300_000);
        int buffers = random.nextInt(3) == 0 ? 16 : 1 + random.nextInt(5);
        int length = buffers * WRITE_BUFFER - HEAD - id.length();
        return length - String.valueOf(length).length() + random.nextInt(-1, 2);
    }

    /** Whether there is no body, whatever the method. */
    boolean isBare() {
        return status == 204 || status == 205 || status == 304;
    }
}
