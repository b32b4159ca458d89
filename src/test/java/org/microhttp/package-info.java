/**
 * Tests of one class each, named for it, and all that need what the library keeps to itself.
 * {@code ScriptedLoop} and {@code ScriptedPeer} are a loop and a client on a simulated machine, where a test
 * says how much the socket takes, runs each turn, and lets time pass; the tests of {@code Connection} use
 * them. What tests in other packages may know from inside comes from {@code Inside} and {@code Occupancy},
 * and from nowhere else. Start with {@code ConnectionTest}.
 * <p>
 * {@code Script} plays the scripts of connections, streams, uploads and other protocols in
 * {@code resources/scripts}.
 */
package org.microhttp;
