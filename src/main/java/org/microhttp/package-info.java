/**
 * An embeddable HTTP/1.1 server on one event loop, which is read in this order:
 * <ol>
 * <li>{@code Handler}, {@code Request}, {@code Response}, {@code Header}: what the user sees, requests in and
 *     responses out.
 * <li>{@code Options}, and {@code Limits}: every number that can be set, and those that bound one request.
 * <li>{@code EventLoop}: the thread, from the constructor that binds to the end that frees everything.
 * <li>{@code Loading}: what is loaded before a loop starts.
 * <li>{@code Shared}: what the connections of a loop have in common, and the tasks that other threads leave.
 * <li>{@code Common}, {@code Budget}: what the loops of a group have in common, and how much of it they may
 *     use; a loop by itself is a group of one. The ledger of all that a client can occupy.
 * <li>{@code Listener}: accepting, and when it pauses.
 * <li>{@code ConnectionState}: what a connection can be in; the diagram is the heart of the library.
 * <li>{@code Connection}, on its {@code Peer}: one client, from its first request to its last answer.
 * <li>{@code Lingering}, {@code Closing}: the end of it, and how a channel is closed.
 * <li>{@code Exchange}: one request and its answer, and how a late answer is told from a right one.
 * <li>{@code RequestParser}: bytes to requests, one element at a time, with its own diagram.
 * <li>{@code ByteQueue}: received bytes, read in place.
 * <li>{@code Framing}, {@code FieldList}, {@code RequestTarget}, {@code Syntax}: where a body ends and
 *     whether the connection persists; lists read in place; the forms of a target; the character classes.
 * <li>{@code HttpError}: a refusal, from the check that throws it to the answer.
 * <li>{@code Outlet}, {@code ResponseEncoder}: responses to bytes, and what happens when the socket is full.
 * <li>{@code Scheduler}: deadlines at tick resolution, where moving one later costs an assignment.
 * <li>{@code EventLog}, {@code Logger}, {@code LogEntry}, {@code DebugLogger}, {@code NoopLogger},
 *     {@code SystemLogger}: every event, and where it goes.
 * <li>{@code Counters}, {@code Stats}: what is counted of the events, and how to see it.
 * <li>{@code Watchdog}: who notices that a handler blocks.
 * <li>{@code EventLoopGroup}: several loops on one port.
 * </ol>
 * Who knows whom:
 * <pre>
 *   EventLoopGroup --> EventLoop --> Loading, Listener --> Connection --> Peer --> Closing
 *
 *   Connection --> Handler, ConnectionState, Lingering
 *      |    |
 *      |    +--> Outlet, ResponseEncoder --> Exchange --> Response --> Header
 *      |
 *      +--> RequestParser --> Framing --> FieldList, RequestTarget --> Syntax
 *             |      |
 *             |      +--> Limits, ByteQueue --> Budget
 *             |
 *             +--> Request --> Header
 *
 *   EventLoop, Listener, Peer, Outlet, Watchdog --> Shared --> Options, Scheduler, Common --> Budget
 *                                                           |
 *                                                           +--> EventLog --> Logger, Counters --> Stats
 * </pre>
 * Arrows point one way but for three calls back: the callback of an {@code Exchange} goes to its connection;
 * {@code Common} knows the loops, to tell their listeners that a place is free; and a listener hands a
 * connection to another loop's by a task. The parser and what it knows have no socket, clock, thread or
 * options, and refuse with {@code HttpError}. {@code Handler} and {@code Logger} are the user's.
 * <p>
 * The rule for threads: one thread owns a loop and all its connections. Only {@code stop}, {@code close} and
 * {@code stats} and the callback of a request may be called from others; all they do there is set a flag,
 * leave a task and wake the loop, or read what is counted. What loops share is atomic, and used only when
 * connections come and go, and for what is limited.
 */
package org.microhttp;
