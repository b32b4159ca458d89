/**
 * A server on a loopback port, as its clients see it: every test sends bytes and compares bytes.
 * {@code TestServer} runs the loop, {@code RawClient} sends and reads; events of the log are awaited, never
 * times. Start with {@code RefusalTest}, then {@code PersistenceTest} and {@code PipeliningTest}. What must
 * come of random requests is in {@code model}, cases shared with other servers are in {@code conformance}.
 */
package org.microhttp.wire;
