package org.microhttp.simulation.scale;

/** The parts of a life whose cost is of interest. */
enum Part {

    /** All connections are accepted. */
    ACCEPTING(false),

    /** Turns in which nothing is due. */
    IDLE_TURNS(false),

    /** One connection in ten asks a request within a minute, each in a turn of its own. */
    ASKING(false),

    /** One turn takes longer than a tick, so that all connections are looked at. */
    LONG_TURN(true),

    /** Ticks in which one deadline fires. */
    ORDINARY_TICKS(false),

    /** The deadlines of nine connections in ten fire at the same time, in as many turns as that takes. */
    MOST_DEADLINES(true),

    /** The server leaves, and all connections are idle. */
    LEAVING(true);

    /** Whether its turns are worth a look at the clock, which costs as much as a small turn. */
    final boolean hasLongTurns;

    Part(boolean hasLongTurns) {
        this.hasLongTurns = hasLongTurns;
    }
}
