package org.microhttp.simulation;

/** A promise was broken. */
final class Broken extends RuntimeException {

    private static final long serialVersionUID = 1;

    Broken(String what) {
        super(what);
    }
}
