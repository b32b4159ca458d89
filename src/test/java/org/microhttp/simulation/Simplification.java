package org.microhttp.simulation;

/** What may be left out of the conditions of a world, to see whether it breaks all the same. */
enum Simplification {
    FAULTS, PAUSES, PARTIAL, MISHAPS, BODIES, STREAMS, UPGRADES, UPLOADS, GROUP, LOG, DOOR, PROXIES,
    REQUEST_LIMIT, WRAPPING, NOTICES, ERROR_FIELDS
}
