package org.microhttp.protocol;

import static org.junit.jupiter.api.Assertions.*;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.microhttp.Inside;
import org.microhttp.testing.TestServer;

/** A budget gives as much as it has, to whoever asks first, and never more. */
class BudgetTest {

    /** Takes all that is left, one by one. */
    private static int drain(Budget budget) {
        int taken = 0;
        while (budget.tryTake(1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void takesUpToItsLimit() {
        var budget = new Budget(10);
        assertTrue(budget.tryTake(4));
        assertFalse(budget.tryTake(7));
        assertTrue(budget.tryTake(6));
        assertFalse(budget.tryTake(1));
        assertTrue(budget.tryTake(0));
    }

    @Test
    void takesNothingWhenItRefuses() {
        var budget = new Budget(10);
        for (int i = 0; i < 5; i++) {
            assertFalse(budget.tryTake(11));
        }
        assertEquals(10, drain(budget));
    }

    @Test
    void releasedAmountsCanBeTakenAgain() {
        var budget = new Budget(3);
        assertEquals(3, drain(budget));
        budget.release(0);
        assertFalse(budget.tryTake(1));
        budget.release(2);
        assertEquals(2, drain(budget));
        budget.release(3);
        assertEquals(3, drain(budget));
    }

    @Test
    void saysHowManyAreTaken() {
        var budget = new Budget(10);
        budget.tryTake(4);
        budget.tryTake(7);
        assertEquals(4, Inside.used(budget));
        budget.release(3);
        assertEquals(1, Inside.used(budget));
    }

    @Test
    void hasNoEndWithoutALimit() {
        var budget = new Budget(Long.MAX_VALUE);
        for (int i = 0; i < 10; i++) {
            assertTrue(budget.tryTake(Long.MAX_VALUE));
        }
        budget.release(Long.MAX_VALUE);
        assertTrue(budget.tryTake(Long.MAX_VALUE));
    }

    @Test
    void holdsNothingIfItIsOfNothing() {
        var budget = new Budget(0);
        assertFalse(budget.tryTake(1));
        assertTrue(budget.tryTake(0));
    }

    /** Four threads take and give back: never more than there is, and in the end all of it is there. */
    @Test
    void isExactHoweverManyThreadsTake() throws Exception {
        int most = 3;
        var budget = new Budget(most);
        var held = new AtomicInteger();
        var broken = new AtomicInteger();
        var taken = new AtomicInteger();
        var begin = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            var thread = new Thread(() -> {
                TestServer.await(begin);
                for (int n = 0; n < 100_000; n++) {
                    if (budget.tryTake(1)) {
                        taken.incrementAndGet();
                        broken.addAndGet(held.incrementAndGet() > most ? 1 : 0);
                        held.decrementAndGet();
                        budget.release(1);
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        begin.countDown();
        threads.forEach(TestServer::join);
        assertEquals(0, broken.get());
        assertTrue(taken.get() > 0);
        assertEquals(most, drain(budget));
    }
}
