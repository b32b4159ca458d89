package org.microhttp;

/** The clocks of the machine. A test that simulates the machine has others. */
class Clock {

    static final Clock MACHINE = new Clock();

    long nanoTime() { return System.nanoTime(); }

    long currentTimeMillis() { return System.currentTimeMillis(); }
}
