package org.microhttp.simulation.network;

/** What the server calls of the machine, each of which may fail. */
public enum Call {
    ACCEPT, READ, WRITE, END_OUTPUT, CLOSE, CONFIGURE, SET_OPTION, ADDRESS, REGISTER, INTEREST, SELECT,
    NESTED_SELECT, CLOCK, WALL, LOG, READ_FILE, TRANSFER, SIZE
}
