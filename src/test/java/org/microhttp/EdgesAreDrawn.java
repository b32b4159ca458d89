package org.microhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class in which a connection has changed its state in a way that the comment of
 * {@link ConnectionState} does not draw. JUnit finds it by itself, for all classes: see
 * {@code META-INF/services} among the resources.
 */
public final class EdgesAreDrawn implements AfterAllCallback {

    private static final List<DrawnEdges.Edge> DRAWN = DrawnEdges.read();

    @Override
    public void afterAll(ExtensionContext context) {
        var strange = new ArrayList<>(DrawnEdges.seen());
        strange.removeAll(DRAWN);
        // so that the classes behind this one do not fail for it
        strange.forEach(DrawnEdges.Edge::forget);
        assertEquals(List.of(), strange, "changes of state that are not drawn");
    }
}
