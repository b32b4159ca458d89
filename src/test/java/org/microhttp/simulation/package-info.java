/**
 * Whole servers in a simulated world. A {@code World} is made from a seed: a server with its options, one
 * loop or a group, and up to some hundred clients. It runs on a {@code Machine} in memory, whose network,
 * time and threads also follow from the seed. So a failure is a number, and the same number brings it
 * back.
 * <p>
 * <b>How it works.</b> The JDK takes channels and selectors from a provider, which is replaced here
 * ({@link org.microhttp.simulation.network}); the library's package-private {@code Clock} is replaced,
 * too. The loop runs as it is. Everything else happens inside its {@code select}: time moves to the next
 * thing that is due, clients send and read, other threads answer (the loop is told that they are others,
 * so a missing wake-up shows). The loops of a group have a thread each, of which one runs at a time; they
 * take turns in {@code select}.
 * <p>
 * <b>What is drawn.</b> {@code Conditions} are drawn for each world; a new one is a field there.
 * <ul>
 * <li>The server: options, and where it listens ({@code ListenConditions}, {@code ListenSocket}); how and
 *     when it is ended ({@code ServerEnd}).
 * <li>The machine: costs of calls, short reads and writes, calls that fail ({@code MachineFaults}).
 * <li>Clients: a {@code ClientInput} is something to send, valid or damaged, judged by the reference
 *     parser. A {@code ClientPlan} joins some, and says in which pieces they are sent, how answers are
 *     read, and how the client ends; {@code Client} does so. {@code ProxyPreface} is a PROXY header
 *     ({@code ProxyPrefaces}).
 * <li>Handlers: {@code HandlerBehaviour} is what the {@code WorldHandler} does with a request, {@code
 *     WrapperBehaviour} what a wrapping handler does with the response.
 * <li>Bodies: {@code Content} is what a body is made of: an array, a buffer of any kind, a region of a
 *     {@code SimulatedFile}, which can shrink or fail ({@code BodyFault}, {@code FailedBody}), or a
 *     publisher ({@code StreamedBody}, read in {@code Chunks}).
 * <li>Uploads: what a client sends goes to an {@code InputSubscriber}, which requests, pauses, cancels and
 *     fails as it likes: to a {@code BodySubscriber} the body of a request, to an {@code
 *     UpgradeSubscriber} what follows an {@code Upgrade}, in which the last request is answered by a
 *     switch to another protocol.
 * </ul>
 * <p>
 * <b>What must hold.</b> {@code Turns} reports each step of the loops to these:
 * <ul>
 * <li>{@code Promises} holds each call of the server to what its connection is owed: requests and answers
 *     whole, right, in order, once ({@code AnswerReader}, {@code PlannedAnswer}), the server's own answers
 *     when they are due ({@code ServerAnswer}, {@code ErrorFields}, {@code ServerAnswerFields}), a close
 *     for a reason ({@code CloseReason}), and the client that a proxy names ({@code ClientAddresses}).
 * <li>{@code BodyTracking}: each body that was given to a callback is released, once for each time. It is
 *     wiped then, so that a later use shows ({@code TrackedBody}, {@code WrappedResponse}).
 * <li>{@code AbandonAction}: an action of {@code onAbandoned} runs once. {@code Failures}: what a program
 *     throws is logged once.
 * <li>{@code Deadlines}: from when and by when a connection must be given up. {@code SleepCheck}: while
 *     the loop sleeps, nothing is left that could be done.
 * <li>{@code Ledger}: what is taken agrees with what the server counts, stays within its limits, and is
 *     nothing at the end. {@code TurnLimits}: the work of a turn. {@code EventCheck}: the log. {@code
 *     StatsCheck}: the statistics. {@code ConnectionState} asserts each change of state.
 * </ul>
 * <p>
 * <b>When something breaks</b>, {@code Simulate} prints the seed, leaves out clients, requests and
 * conditions as long as the world breaks in the same way ({@code Shrinker}), and prints the story of the
 * connection that is left. A seed is good for the sources with which it was found.
 * <p>
 * <b>What it cannot show</b>: what threads do to each other inside a turn, what the JDK's channels do
 * against their documentation, what a full heap does. Chaos and the tests of faults are for that. The file
 * of a Unix domain socket is a real one, but empty: what an earlier server has left is for the library's
 * own tests.
 * <p>
 * <b>Traps.</b> Nothing may depend on identity hashes, on the order of {@code Map.of} or {@code Set.of},
 * or on real time. The JDK's {@code select(Consumer, long)} goes through such a set, so it is overridden;
 * so are the hashes of keys. A channel keeps its descriptor until its cancelled key is flushed, before or
 * after a wait; a key that was cancelled earlier in a round is dispatched all the same. Unread input when
 * a channel is freed is a reset, and a reset takes what the client has not read.
 */
package org.microhttp.simulation;
