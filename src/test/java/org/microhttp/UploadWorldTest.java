package org.microhttp;

import org.junit.jupiter.api.Test;

/** Lives worlds of bodies that are received as they come; see {@link UploadWorld}. */
class UploadWorldTest {

    @Test
    void promisesToClientsAndSubscribersAreKept() {
        PlannedWorlds.live(UploadWorld::new);
    }
}
