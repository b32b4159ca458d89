package org.microhttp;

/** The clocks of the machine. A test that simulates the machine has others. */
class Clock {

    long nanoTime() { return System.nanoTime(); }

    long currentTimeMillis() { return System.currentTimeMillis(); }
}
