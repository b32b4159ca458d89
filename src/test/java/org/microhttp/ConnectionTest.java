package org.microhttp;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** R3, R4b, R4c, R16, R17: what connections do, step by step. */
class ConnectionTest {

    @TestFactory
    Stream<DynamicTest> scripts() {
        return Script.tests("connections.txt");
    }
}
