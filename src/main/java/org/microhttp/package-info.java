/**
 * An embeddable HTTP/1.1 server on one event loop, which is read in this order:
 * <ol>
 * <li>{@code Handler}, {@code Request}, {@code Response}, {@code Header}: what the user sees, requests in and
 *     responses out.
 * <li>{@code Options}, and {@code Limits}: every number that can be set, and those that bound one request.
 * <li>{@code EventLoop}: the thread, from the constructor that binds to the end that frees everything;
 *     {@code Shutdown}: whether it is stopped, or leaves.
 * <li>{@code Loading}: what is loaded before a loop starts.
 * <li>{@code LoopContext}: what the parts of a loop have in common; {@code TurnClock}: what time it is in a
 *     turn; {@code TaskQueue}: what other threads leave for the loop; {@code PendingRequests}: what handlers
 *     have in their hands.
 * <li>{@code GroupContext}, {@code Budget}: what the loops of a group have in common, and how much of it they
 *     may use; a loop by itself is a group of one. The ledger of all that a client can occupy.
 * <li>{@code Acceptor}: accepting, and when it pauses.
 * <li>{@code ConnectionState}: what a connection can be in; the diagram is the heart of the library.
 * <li>{@code Connection}, a {@code TurnTaker}: one client, from its first request to its last answer.
 * <li>{@code ClientSocket}: reading and writing, and what the selector watches for; {@code Lingering},
 *     {@code Closing}: the end of it.
 * <li>{@code Exchange}: one request and its answer, and how a late answer is told from a right one.
 * <li>{@code RequestParser}: bytes to requests, one element at a time, with its own diagram.
 * <li>{@code ByteQueue}: received bytes, read in place.
 * <li>{@code HeaderSection}, {@code Framing}, {@code Trailers}: what fields say; where a body ends; what may
 *     not stand behind it.
 * <li>{@code FieldList}, {@code RequestTarget}, {@code Syntax}: lists read in place; the forms of a target;
 *     the character classes.
 * <li>{@code Refusal}, {@code RefusalException}: every reason to refuse, and its way from the check to the
 *     answer.
 * <li>{@code ResponseWriter}: how responses leave, and what happens when the socket is full;
 *     {@code ResponseEncoder}, {@code ResponseHead}, {@code ResponseTail}: a response to bytes, what of it is
 *     rendered once, and what with each sending.
 * <li>{@code Scheduler}: deadlines at tick resolution, where moving one later costs an assignment.
 * <li>{@code EventLog}, {@code Logger}, {@code LogEntry}, {@code DebugLogger}, {@code NoopLogger},
 *     {@code SystemLogger}: every event, and where it goes.
 * <li>{@code Counters}, {@code Stats}: what is counted, and how to see it.
 * <li>{@code Watchdog}: who notices that a handler blocks.
 * <li>{@code EventLoopGroup}: several loops on one port.
 * </ol>
 * Who knows whom:
 * <pre>
 *   EventLoopGroup --> EventLoop --> Loading, Watchdog, Acceptor --> Connection, Closing
 *
 *   Connection --> TurnTaker --> ClientSocket --> Closing
 *      |
 *      +--> ConnectionState, Lingering, Handler
 *      |
 *      +--> ResponseWriter --> ClientSocket, ResponseEncoder --> Exchange --> Response
 *      |
 *      +--> RequestParser --> HeaderSection --> Framing, RequestTarget, FieldList --> Syntax
 *             |     |
 *             |     +--> Limits, Trailers, ByteQueue, Budget
 *             |
 *             +--> Request --> Header
 *
 *   Response --> ResponseHead --> Header, FieldList
 *
 *   all but values and the parser's --> LoopContext --> TaskQueue, PendingRequests, ResponseTail, Scheduler
 *                                         |    |
 *                                         |    +--> TurnClock, Shutdown, Counters --> Stats
 *                                         |    |
 *                                         |    +--> EventLog --> Logger, LogEntry
 *                                         |
 *                                         +--> Options, GroupContext --> Budget
 *
 *   all that checks --> Refusal, RefusalException
 * </pre>
 * Arrows point one way but for five calls back: {@code TurnTaker} takes the steps of its {@code Connection};
 * the callback of an {@code Exchange} goes to its connection; the scheduler fires connections;
 * {@code GroupContext} knows the loops, to tell their acceptors that a place is free; and an acceptor hands a
 * connection to another loop's by a task. The parser and what it knows have no socket, clock, thread or
 * options, and refuse with {@code RefusalException}. {@code Handler} and {@code Logger} are the user's.
 * <p>
 * The rule for threads: one thread owns a loop and all its connections, and where that can be asserted it is.
 * Only {@code stop}, {@code close} and {@code stats} and the callback of a request may be called from others;
 * all they do there is set a flag, leave a task and wake the loop, or read what is counted. What loops share
 * is atomic, and used only when connections come and go, and for what is limited.
 * <p>
 * For users there are pages in {@code doc-files}, beside this one: {@code options.md}, {@code wire.md},
 * {@code events.md}, {@code operating.md}, {@code migrating.md}, {@code changes.md}.
 */
package org.microhttp;
