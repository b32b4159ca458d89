package org.microhttp;

import org.junit.jupiter.api.Test;

/** Lives worlds of streamed bodies; see {@link StreamWorld}. */
class StreamWorldTest {

    @Test
    void promisesToClientsAndPublishersAreKept() {
        PlannedWorlds.live(StreamWorld::new);
    }
}
