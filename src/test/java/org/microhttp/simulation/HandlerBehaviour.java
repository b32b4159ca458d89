package org.microhttp.simulation;

/** What a handler does with a request. */
enum HandlerBehaviour {

    AT_ONCE,
    LATER,
    TWICE,

    /** One answer at once, another later. */
    AT_ONCE_AND_LATER,
    LATER_TWICE,
    NEVER,
    NULL,
    THROW,
    ANSWER_AND_THROW,

    /** Another thread has answered when the handler throws. */
    ELSEWHERE_AND_THROW,

    /** Holds the loop's thread for a while, then answers. */
    BLOCK,

    /** Leaves an interrupt flag behind, and answers. */
    INTERRUPT,

    /** An Error instead of an answer. */
    ERROR,

    /** Says with its response that it has failed, at once or later. */
    FAIL, FAIL_LATER;

    boolean isLate() {
        return this == LATER || this == LATER_TWICE || this == FAIL_LATER;
    }

    /** Whether another thread gives the first answer. */
    boolean isElsewhere() {
        return isLate() || this == ELSEWHERE_AND_THROW;
    }
}
