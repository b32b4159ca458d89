/**
 * Clients, servers, processes and logs that tests of several packages use. {@code TestServer} runs a loop or
 * a group of loops on a free port, and {@code RawClient} talks to it:
 * {@code client.send("...").expect("...")}. {@code RecordingLogger} keeps events so that a test can wait for
 * one, {@code ManualClock} lets time pass at once, and {@code Leaks} looks whether a server has left nothing.
 * {@code ServerProcess} runs a program in a process of its own. Start with {@code TestServer}.
 */
package org.microhttp.testing;
