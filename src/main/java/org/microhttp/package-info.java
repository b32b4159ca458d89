/**
 * An embeddable HTTP/1.1 server on one event loop. A whole server is:
 * <pre>{@code
 *   Handler handler = (request, callback) -> callback.accept(Response.text(200, "hello"));
 *   new EventLoop(new Options().withPort(8080), new SystemLogger(), handler).start();
 * }</pre>
 * Pages for users: <a href="doc-files/options.md">every option</a>, <a href="doc-files/wire.md">what is sent,
 * accepted and refused</a>, <a href="doc-files/events.md">log events</a>, <a
 * href="doc-files/operating.md">operating</a>, <a href="doc-files/runbook.md">runbook</a>, <a
 * href="doc-files/changes.md">changes</a>, <a href="doc-files/migrating.md">migrating</a>.
 *
 * <h2>Reading the source</h2>
 * Read it in this order:
 * <ol>
 * <li>{@code Handler}, {@code Request}, {@code RequestHead}, {@code Response}, {@code Body},
 *     {@code Header}: what a program sees; requests in, responses out.
 * <li>{@code Options}: every number that can be set. {@code ErrorHeaders}: fields for the server's own
 *     responses.
 * <li>{@code Server}: what a loop and a group have in common.
 * <li>{@code EventLoop}: the thread, from the constructor, which binds, to the end, which closes
 *     everything. {@code Loading}: loads all classes before. {@code Watchdog}: reports a handler that blocks
 *     the loop.
 * <li>{@code LoopContext}: what the parts of a loop share; the time; whether the loop ends.
 *     {@code TaskQueue}: what other threads leave for the loop.
 * <li>{@code GroupContext}, {@code Budget}: what the loops of a group share, and the ledger of everything
 *     that a client can occupy. A loop by itself is a group of one.
 * <li>{@code Acceptor}: the port, or the Unix domain socket and its file; accepting, and when it pauses.
 *     {@code TrustedNetwork}: which peers may connect.
 * <li>{@code ConnectionState}: what a connection waits for; its diagram is the heart of the library.
 * <li>{@code Connection}: one client, from its first request to its last response. {@code ClientSocket}: its
 *     socket. {@code Timeouts}: until when it waits. {@code Lingering}: its end.
 * <li>{@code Exchange}: one request and its response, and how a late response is recognised. {@code Place}:
 *     its place among the pending requests.
 * <li>{@code RequestParser}: bytes to requests, with a diagram of its own. {@code ByteQueue}: received bytes.
 * <li>{@code RequestFraming}: what the fields say about the end of the body and of the connection.
 *     {@code ListReader}, {@code RequestTarget}, {@code Syntax}: the grammars of lists, targets and
 *     characters. {@code ProxyHeader}: the client that a proxy names.
 * <li>{@code Receiver}: what a client sends goes to a subscriber. {@code BodyReceiver}: a body; {@code
 *     UpgradeReceiver}: another protocol.
 * <li>{@code Refusal}, {@code RefusalException}: every reason to refuse a request, and its way to the client.
 * <li>{@code ResponseQueue}: responses until the socket has taken them. {@code ResponseTail}: the fields that
 *     depend on the moment of sending. {@code BodyStream}: a body that a publisher signals while it is sent.
 * <li>{@code Scheduler}: deadlines. To move one later is one assignment.
 * <li>{@code Event}, {@code EventLog}: every event, and how it reaches the {@code Logger} of the program:
 *     {@code DebugLogger}, {@code SystemLogger}, {@code NoopLogger}, or its own. {@code LogEntry}: one key
 *     and value of an event.
 * <li>{@code Counters}, {@code Stats}: what is counted, and a snapshot of it.
 * <li>{@code EventLoopGroup}: several loops on one port.
 * </ol>
 * Who knows whom:
 * <pre>
 *   EventLoopGroup --> EventLoop --> Watchdog, Acceptor --> Connection
 *
 *   Connection --> ClientSocket
 *      |
 *      +--> ConnectionState, Timeouts, Lingering
 *      |
 *      +--> ResponseQueue --> ClientSocket, Exchange --> Handler, Response, BodyStream
 *      |
 *      +--> RequestParser --> RequestFraming --> RequestTarget, ListReader --> Syntax
 *             |     |
 *             |     +--> ProxyHeader --> RequestTarget
 *             |     |
 *             |     +--> ByteQueue, Budget
 *             |
 *             +--> Request --> RequestHead, Header
 *
 *   Acceptor --> TrustedNetwork --> RequestTarget
 *
 *   Response --> Body, Header
 *
 *   the parts of a loop --> LoopContext --> TaskQueue, ResponseTail, Scheduler
 *                                         |
 *                                         +--> Counters --> Stats
 *                                         |
 *                                         +--> EventLog --> Event, Logger, LogEntry
 *                                         |
 *                                         +--> Options, GroupContext --> Budget
 *
 *   everything that checks --> Refusal, RefusalException
 * </pre>
 * Some things call back against the arrows: an exchange hands its response to its connection; a stream tells
 * its exchange and its connection what has come; {@code Handler.blocking} sees whether its callback is an
 * exchange; the scheduler fires connections, and exchanges that hold a place; {@code GroupContext} wakes the
 * acceptors of all loops when a place is released; and an acceptor hands a connection to the acceptor of
 * another loop. The parser and what it knows have no socket, clock, thread or options, and refuse with {@code
 * RefusalException}.
 * <p>
 * The rule for threads: one thread owns a loop and all its connections; {@code Connection.turn} asserts it.
 * Other threads may call {@code stop}, {@code close}, {@code stats}, the callback of a request and the
 * methods of {@code Request}. While the loop runs these only set a flag, add a task or a note, wake the loop
 * or read counters. What loops share is atomic, and is used only when connections come and go, and for what
 * is limited.
 * <p>
 * Where to look first:
 * <ul>
 * <li>from accept to the first byte: {@code Acceptor}
 * <li>received bytes: {@code Connection.receive} and {@code serve}
 * <li>a pipelined request while one is pending: it stays in the parser until {@code Connection.respondLate};
 *     {@code Connection.room} says how much is read until then
 * <li>what the selector watches for, by state: {@code Connection.settle}; the deadline, and what happens when
 *     the deadline has passed: {@code Timeouts.giveUp}
 * <li>the first response, a second, a late one: {@code Exchange.accept} and {@code take}; the wake-up:
 *     {@code TaskQueue}
 * <li>what happens when an exchange ends, and what a kept callback still keeps: {@code Exchange.end}
 * <li>a response larger than the write buffer: {@code ResponseQueue}; a body that cannot be read:
 *     {@code ResponseQueue.write}, then {@code Connection.cut}
 * <li>a body that is received as it comes: {@code Connection.beginBody}, then {@code BodyReceiver.choose}
 * <li>another protocol: {@code Connection.respond}, then {@code UpgradeReceiver.begin}
 * <li>a streamed body: {@code BodyStream}; {@code Connection.sendQueued} has it request more when all is sent
 * <li>a client that does not read its responses: {@code Connection.sendQueued} enters the state
 *     WRITING, in which {@code settle} lets nothing be read
 * <li>how much one client can occupy, what counts it, what releases it: the ledger in {@code Budget}
 * <li>what is too large, a line, a section or a request: {@code RequestParser.readLine} measures it, and
 *     {@code refuseLine} says so; {@code beginBlock} does both for a body
 * <li>how a body is framed: {@code RequestFraming}; chunks and trailers: the example in
 *     {@code RequestParser}
 * <li>whether a connection persists: {@code RequestFraming.complete}, {@code Connection.respond}; how it
 *     ends: {@code Connection.finish}
 * <li>100-continue: {@code RequestParser.takeContinue}, {@code Connection.awaitMore}
 * <li>an interrupt: {@code LoopContext.checkStop}; one that a handler leaves behind: {@code Exchange.call}
 * <li>a graceful stop: {@code EventLoop.beginLeaving} and {@code turn}; which connection is idle:
 *     {@code LoopContext.idleDeadline}
 * <li>out of descriptors: {@code Acceptor}, {@code Loading}; out of memory:
 *     {@code Connection.turn}, {@code EventLoop.run}
 * <li>a new option: the comment in {@code Options}; a new event: {@code Event}; a field for every response:
 *     {@code Response.render}; another kind of body: {@code Body}
 * </ul>
 * The folder {@code doc-files} has pages for users, and {@code inside.svg}, a picture of all classes.
 */
package org.microhttp;
