package org.microhttp;

import org.junit.jupiter.api.Test;

/** Lives worlds of connections that switch to another protocol; see {@link UpgradeWorld}. */
class UpgradeWorldTest {

    @Test
    void promisesToBothSidesAreKept() {
        PlannedWorlds.live(UpgradeWorld::new);
    }
}
