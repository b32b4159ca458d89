/**
 * The whole server in a simulated world. A {@code World} is made from a seed: a server with options of its
 * own, one loop or a group, and some ten to some hundred clients that do all that clients do. It is lived on
 * a {@code Machine} in memory, whose network, time and threads follow from the seed, too; so a failure is a
 * number, and whoever has the number sees it again.
 * <p>
 * <b>How it works.</b> The JDK takes its channels and selectors from a provider, which this JVM replaces
 * ({@link org.microhttp.simulation.network}); the library's only concession is its package-private
 * {@code Clock}. The loop runs as it is. Whatever happens outside of it happens inside its {@code select}:
 * the time moves to the next thing that is due, clients send and read, other threads answer (the loop is told
 * that they are others, so a wake-up that is missing shows), and when a channel is ready, or the time that
 * the loop gave is over, it goes on. The loops of a group have threads of their own, of which one runs at a
 * time; they take turns in {@code select}.
 * <p>
 * <b>What is done to the server.</b> {@code Conditions} are drawn for each world: limits, timeouts, sizes of
 * buffers, what a call costs, how many reads and writes are cut short, how many calls fail. {@code Item} is
 * something to send, from the vectors, from the model, damaged, or as programs send it, judged by the
 * reference parser; a {@code ClientPlan} joins some, and says in which pieces they go out, how answers are
 * read, and how it ends; {@code Client} does so. {@code Manner} is what a handler does, {@code Content} what
 * the body of its answer is: an array, a buffer of any kind, or a region of a {@code SimulatedFile}, which
 * moves less than it is asked for, and to which a {@code Mishap} comes, which makes it a {@code FailedBody}.
 * A {@code StreamedBody} is signalled by a publisher, at once or later, on the loop's thread or another. It
 * ends as it should or not; it is read in {@code Chunks}, and each byte must have been signalled before. With
 * an {@code Upgrade} the last request of a client is answered by a switch to another protocol, in which a
 * {@code UpgradeSubscriber} gets what the client sends.
 * {@code Wrapping} is what a handler makes of the response of a handler inside it: a copy with other fields,
 * or another response instead.
 * {@code Faults} is what the machine does, {@code Ending} how and when the server is ended. A {@code Door}
 * says where clients come in: at a port, a Unix domain socket, or one that was there before ({@code
 * Doorway}); from which networks; and whether a header of the PROXY protocol goes before what they send. That
 * is a {@code Preface}, drawn by {@code Prefaces}, right or wrong, and judged apart from the library.
 * <p>
 * <b>What must hold</b>, at every step, of which {@code Turns} tells. {@code Promises} keeps what one
 * connection is owed and holds each call of the server to it: whole requests, in order, once; answers right,
 * whole, in order, once ({@code AnswerReader}, {@code PlannedAnswer}); those of the server itself when they
 * are due ({@code OwnAnswer}); an end for a reason ({@code Parting}), and at once when a body turns out to be
 * shorter. A request, and what the log says of it, is of the client that a proxy has told of ({@code
 * Callers}); before one has, no octet is sent, and who is not trusted is not even let in. What a body is made
 * of is {@code Lent} until it is released, once for each time that it was given to a callback; it is wiped
 * then, so that who uses it still is seen: {@code Lending} has the account of all. A response that is kept
 * back is released by hand, and a copy shares its body ({@code Wrapped}). A {@code Notice} runs once, when
 * nobody waits for a response any more. What a program throws, or says that it has failed with, is logged
 * once ({@code Failures}). {@code ErrorFields} is asked once for each response that the server makes itself,
 * and {@code OwnFields} looks whether that has exactly these fields. {@code Deadlines} knows from when and by
 * when a connection must be given up. {@code Quiet} looks, when the loop sleeps, that nothing is left that
 * could be done. {@code Ledger} counts what is taken, compares it with what the server counts and with its
 * limits, and with nothing at the end. {@code Bound} counts the work of a turn. {@code EventCheck} compares
 * the log. And no connection may change its state but as {@code ConnectionState} draws.
 * <p>
 * <b>When something breaks</b>, {@code Simulate} prints the seed, leaves out clients, requests and oddities
 * as long as it breaks the same ({@code Shrinker}), and tells the story of the connection that is left.
 * {@code src/test/simulate} says how to run it for long, and how to bring one world back. The stock of what
 * clients send changes with the vectors, and a world with the order in which its random numbers are drawn: a
 * seed is good for the sources it was found with.
 * <p>
 * <b>What it cannot show</b>: what threads do to each other inside a turn, what the JDK's channels do
 * otherwise than documented, what a heap that is really full does. Chaos, and the tests of faults, are for
 * that. The file of a Unix domain socket is a real one, so that its removal is seen, but empty and no socket:
 * what an earlier server has left is for the library's own tests. So is a name that cannot be decoded: here
 * clients of such a socket have names, as they may, and neither handler nor log may see one.
 * <p>
 * <b>Traps</b> for whoever goes on. Nothing may depend on identity hashes, on the order of {@code Map.of} or
 * {@code Set.of}, or on real time. The JDK's {@code select(Consumer, long)} goes through such a set, so it is
 * overridden; so are the hashes of keys. A channel keeps its descriptor until its cancelled key is flushed,
 * before or behind a wait; a key that was cancelled earlier in a round is dispatched all the same. Input that
 * is unread when a channel is freed is a reset, and a reset takes what the client has not read.
 */
package org.microhttp.simulation;
