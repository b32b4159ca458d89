package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Places of requests: as many as there are, each given back once, or forgotten with the loop. */
class PendingRequestsTest {

    private final Budget places = new Budget(3);
    private final PendingRequests pending = new PendingRequests(places);

    private static Exchange exchange() {
        return new Exchange(null, false, false, true);
    }

    private List<Exchange> takeAll() {
        List<Exchange> taken = Stream.generate(PendingRequestsTest::exchange).limit(3).toList();
        taken.forEach(exchange -> assertTrue(pending.take(exchange)));
        return taken;
    }

    @Test
    void takesAPlaceAsLongAsThereIsOne() {
        takeAll().forEach(exchange -> assertTrue(exchange.hasPlace));
        assertEquals(3, places.used());
        Exchange another = exchange();
        assertFalse(pending.take(another));
        assertFalse(another.hasPlace);
        assertEquals(3, places.used());
    }

    @Test
    void givesAPlaceBackOnce() {
        Exchange first = takeAll().get(0);
        for (int i = 0; i < 3; i++) {
            pending.giveBack(first);
            assertFalse(first.hasPlace);
            assertEquals(2, places.used());
        }
        pending.giveBack(exchange());
        assertEquals(2, places.used());
    }

    @Test
    void givesAPlaceBackForAnother() {
        List<Exchange> taken = takeAll();
        pending.giveBack(taken.get(1));
        assertTrue(pending.take(exchange()));
        assertFalse(pending.take(exchange()));
    }

    /** The places stay taken: whoever forgets them gives them back when nobody can take too many. */
    @Test
    void saysHowManyItForgets() {
        Exchange first = takeAll().get(0);
        pending.giveBack(first);
        assertEquals(2, pending.abandon());
        assertEquals(0, pending.abandon());
        assertEquals(2, places.used());
    }

    @Test
    void sharesThePlacesWithOtherLoops() {
        var others = new PendingRequests(places);
        takeAll();
        assertFalse(others.take(exchange()));
        assertEquals(0, others.abandon());
    }

    @Test
    void countsNothingWithoutALimit() {
        var endless = new PendingRequests(new Budget(Long.MAX_VALUE));
        Exchange exchange = exchange();
        for (int i = 0; i < 10; i++) {
            assertTrue(endless.take(exchange));
        }
        assertFalse(exchange.hasPlace);
        endless.giveBack(exchange);
        assertEquals(0, endless.abandon());
    }
}
