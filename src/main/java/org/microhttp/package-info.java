/**
 * An embeddable HTTP/1.1 server on one event loop, which is read in this order:
 * <ol>
 * <li>{@code Handler}, {@code Request}, {@code RequestHead}, {@code Response}, {@code Body},
 *     {@code Header}: what the user sees, requests in and responses out.
 * <li>{@code Options}: every number that can be set.
 * <li>{@code EventLoop}: the thread, from the constructor that loads all classes, and binds, to the end that
 *     frees everything.
 * <li>{@code LoopContext}: what the parts of a loop have in common, and whether it is stopped, or leaves;
 *     {@code Clock}, {@code TurnClock}: the machine's time, and that of a turn; {@code TaskQueue}: what other
 *     threads leave for the loop.
 * <li>{@code GroupContext}, {@code Budget}: what the loops of a group have in common, and how much of it they
 *     may use; a loop by itself is a group of one. The ledger of all that a client can occupy.
 * <li>{@code Acceptor}: accepting, and when it pauses; {@code SocketFile}: the file of a Unix domain socket;
 *     {@code TrustedNetwork}: who may connect at all.
 * <li>{@code ConnectionState}: what a connection can be in; the diagram is the heart of the library.
 * <li>{@code Connection}: one client, from its first request to its last answer.
 * <li>{@code ClientSocket}: reading and writing, and what the selector watches for; {@code Lingering}:
 *     the end of it.
 * <li>{@code Exchange}: one request and its answer, and how a late answer is told from a right one.
 * <li>{@code RequestParser}: bytes to requests, one element at a time, with its own diagram, and the limits
 *     of one request.
 * <li>{@code ProxyHeader}: what a proxy says of its client, in front of the first request.
 * <li>{@code ByteQueue}: received bytes, read in place.
 * <li>{@code HeaderSection}: what fields say, where a body ends, and what may not stand behind it.
 * <li>{@code FieldList}, {@code RequestTarget}, {@code Syntax}: lists read in place; the forms of a target;
 *     the character classes.
 * <li>{@code Refusal}, {@code RefusalException}: every reason to refuse, and its way from the check to the
 *     answer.
 * <li>{@code ResponseWriter}: how responses leave, and what happens when the socket is full;
 *     {@code ResponseEncoder}, {@code ResponseHead}, {@code ResponseTail}: a response to bytes, what of it is
 *     rendered once, and what with each sending.
 * <li>{@code Scheduler}: deadlines at tick resolution, where moving one later costs an assignment.
 * <li>{@code Event}, {@code EventLog}: every event, and how it is told; {@code Logger}, {@code LogEntry},
 *     {@code NoopLogger}, {@code TextLogger}, {@code DebugLogger}, {@code SystemLogger}: where it goes.
 * <li>{@code Counters}, {@code Stats}: what is counted, and how to see it.
 * <li>{@code Watchdog}: who notices that a handler blocks.
 * <li>{@code EventLoopGroup}: several loops on one port.
 * </ol>
 * Who knows whom:
 * <pre>
 *   EventLoopGroup --> EventLoop --> Watchdog, Acceptor --> Connection
 *
 *   Connection --> ClientSocket
 *      |
 *      +--> ConnectionState, Lingering, Handler
 *      |
 *      +--> ResponseWriter --> ClientSocket, ResponseEncoder --> Exchange --> Response
 *      |
 *      +--> RequestParser --> HeaderSection --> RequestTarget, FieldList --> Syntax
 *             |     |
 *             |     +--> ProxyHeader --> RequestTarget
 *             |     |
 *             |     +--> ByteQueue, Budget
 *             |
 *             +--> Request --> RequestHead, Header
 *
 *   Acceptor --> SocketFile, TrustedNetwork --> RequestTarget
 *
 *   Response --> Body, ResponseHead --> Header
 *
 *   the parts of a loop --> LoopContext --> TaskQueue, ResponseTail, Scheduler
 *                                         |    |
 *                                         |    +--> TurnClock --> Clock
 *                                         |    |
 *                                         |    +--> Counters --> Stats
 *                                         |    |
 *                                         |    +--> EventLog --> Event, Logger, LogEntry
 *                                         |
 *                                         +--> Options, GroupContext --> Budget
 *
 *   all that checks --> Refusal, RefusalException
 * </pre>
 * Arrows point one way, but where one part calls back another: an {@code Exchange} hands its answer to its
 * connection, the scheduler fires connections, a response puts its body where its encoder wants it, and
 * {@code GroupContext} tells the acceptors of all loops that a place is free, as an acceptor hands a
 * connection to that of another loop. {@code Handler} and {@code Logger} are the user's. The parser and what
 * it knows have no socket, clock, thread or options, and refuse with {@code RefusalException}.
 * <p>
 * The rule for threads: one thread owns a loop and all its connections; {@code Connection.turn} asserts it.
 * Only {@code stop}, {@code close} and {@code stats} and the callback of a request may be called from
 * others; all they do there is set a flag, leave a task and wake the loop, or read what is counted. What
 * loops share is atomic, and used only when connections come and go, and for what is limited.
 * <p>
 * Where to look first:
 * <ul>
 * <li>from accept to the first byte: {@code Acceptor}
 * <li>what becomes of the bytes that have come: {@code Connection.receive} and {@code serve}; of what is
 *     pipelined meanwhile: {@code ConnectionState}
 * <li>when nothing is read, and what is watched for: {@code Connection.settle}, by state; there the
 *     deadline is set, too
 * <li>which deadline is over, and what then: {@code Connection.giveUp}, by state
 * <li>the first answer, a second, a late one: {@code Exchange}; that of another thread:
 *     {@code TaskQueue.add}, which wakes the loop
 * <li>when a request and its answer are over, what is logged of them, and what a callback that a program
 *     keeps still keeps: {@code Exchange.end}
 * <li>a body that cannot be read: {@code ResponseWriter.add} before anything of its response is sent,
 *     {@code ResponseEncoder.write} later
 * <li>how much a client can occupy, who counts it, who gives it back: {@code Budget}, a ledger
 * <li>every reason to refuse, with its status and text: {@code Refusal}
 * <li>where a limit of a line, a section, a request is checked: {@code RequestParser.refuseLine} and
 *     {@code beginBlock}
 * <li>who the client behind a proxy is: {@code RequestParser.readProxyHeader}, then {@code ProxyHeader}
 * <li>how a body is framed: {@code HeaderSection}; chunks and trailers: {@code RequestParser}
 * <li>whether the connection persists: {@code HeaderSection.complete}, then {@code Connection.respond},
 *     told by {@code ResponseTail}; how it ends: {@code Connection.finish}
 * <li>100-continue: {@code RequestParser.takeContinue}, asked by {@code Connection.awaitMore}
 * <li>an interrupt: {@code LoopContext.checkStop}; one that the handler leaves behind:
 *     {@code Exchange.call}
 * <li>what counts as a timeout: {@code ClientSocket.reportTimeout}, {@code Refusal.isTimeout}
 * <li>what is sent of a response: {@code ResponseHead}, {@code ResponseTail}; how, and how much at a time:
 *     {@code ResponseWriter}
 * <li>when a loop ends, and which connections it closes as idle when it leaves: {@code LoopContext}
 * <li>out of descriptors: {@code Acceptor}, {@code EventLoop.loadAll}; out of memory:
 *     {@code Connection.turn}, {@code EventLoop.run}
 * <li>a new option: the comment in {@code Options}; a new event: {@code Event}; a field for every
 *     response: {@code ResponseHead}; another kind of body: {@code Body}
 * </ul>
 * For users there are pages in {@code doc-files}, beside this one: {@code options.md}, {@code wire.md},
 * {@code conformance.md}, {@code events.md}, {@code operating.md}, {@code runbook.md}, {@code migrating.md},
 * {@code changes.md}; and {@code inside.svg}, a picture of all classes.
 */
package org.microhttp;
