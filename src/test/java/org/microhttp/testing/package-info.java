/**
 * Clients, servers, processes and logs that tests of several rooms use. {@code TestServer} runs a loop or a
 * group of loops on a free port, and {@code RawClient} talks to it:
 * {@code client.send("...").expect("...")}. {@code RecordingLogger} keeps events so that a test can wait for
 * one, and {@code MovedClock} lets time pass at once. {@code ServerProcess} and {@code ExampleProcess} start
 * programs in JVMs of their own. Start with {@code TestServer}.
 */
package org.microhttp.testing;
