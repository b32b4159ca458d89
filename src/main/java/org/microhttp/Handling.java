package org.microhttp;

/** With which request a loop is calling its handler. Only the loop's thread uses it. */
final class Handling {

    /** That of the loop which the calling thread runs. */
    static final ThreadLocal<Handling> HERE = new ThreadLocal<>();

    /** The head of the request; null while no handler is called. */
    RequestHead head;

    /** Returns the head of the request with which the calling thread is calling a handler; null if none. */
    static RequestHead here() {
        Handling here = HERE.get();
        return here == null ? null : here.head;
    }
}
