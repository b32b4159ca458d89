package org.microhttp.simulation;

import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import org.microhttp.wire.model.RequestLimits;

/** Whether the last request is answered by a switch to another protocol, and whether that was asked for. */
enum Upgrade {
    NONE, ASKED, NOT_ASKED;

    private static final String[] ASKING = {"Connection: upgrade\r\nUpgrade: echo\r\n",
            "Connection: keep-alive, Upgrade\r\nUpgrade: other, ECHO\r\n"};
    private static final String[] NOT_ASKING = {"Connection: keep-alive\r\n", "Connection: upgrade\r\n",
            "Upgrade: echo\r\n", "Connection: upgrade\r\nUpgrade: echo/2\r\n"};
    private static final int LONGEST = 3_000;

    /** Draws one for a client; where limits are tight, there is none. */
    static Upgrade random(SplittableRandom random, Conditions conditions) {
        boolean tight = conditions.limits().headerSize() < 500 || conditions.limits().fields() < 5
                || conditions.limitsBytes() || conditions.limitsPending();
        if (random.nextInt(100) >= conditions.contents().upgraded() || tight) return NONE;
        return random.nextInt(6) == 0 ? NOT_ASKED : ASKED;
    }

    /** The request, and what its client says in the other protocol, which would be no request. */
    ClientInput item(RequestLimits limits, SplittableRandom random) {
        String fields = Conditions.pick(random, this == ASKED ? ASKING : NOT_ASKING);
        String request = "GET /other HTTP/1.1\r\nHost: x\r\n" + fields + "\r\n";
        ClientInput alone = ClientInput.judge(request, limits, false);
        int count = this == NOT_ASKED ? 0 : random.nextInt(random.nextInt(4) == 0 ? LONGEST : 100);
        byte[] text = Arrays.copyOf(alone.text(), alone.text().length + count);
        for (int i = 0; i < count; i++) {
            text[alone.text().length + i] = (byte) ('a' + (i + i / 26) % 26);
        }
        return new ClientInput(text, alone.requests(), alone.ends(), alone.heads(), new boolean[2], false,
                Set.of(), false);
    }
}
