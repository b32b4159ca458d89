/**
 * An embeddable HTTP/1.1 server on one event loop. A whole server is:
 * <pre>{@code Handler handler = Handler.of(request -> Response.text(200, "hello"));
 *   new EventLoop(new Options().withPort(8080), new SystemLogger(), handler).start();
 * }</pre>
 * <a href="https://github.com/microhttp/microhttp/blob/main/src/site/markdown/README.md">The guide</a>, in
 * {@code src/site/markdown}, leads to all pages for users. A picture of all classes is {@code inside.svg}
 * there.
 *
 * <h2>Reading the source</h2>
 * HTTP itself, without sockets, is the package {@code org.microhttp.protocol}, which has a tour of its own:
 * how bytes become requests, and why they are refused. Read that first. Then read the core, which serves
 * whole messages, in this order:
 * <ol>
 * <li>{@code Handler}, {@code Request}, {@code Response}, {@code Body} and {@code Header} are what a program
 *     uses, and {@code Options} has every setting.
 * <li>{@code EventLoop} is the thread, from the constructor, which binds, to the end, which closes
 *     everything. {@code Acceptor} accepts connections.
 * <li>{@code LoopContext} is what the parts of a loop share: the time is in {@code LoopClock}, whether the
 *     loop ends in {@code LoopEnd}, the options as numbers in {@code ConnectionLimits}, what a connection may
 *     take at once in {@code ConnectionTurn}, and the buffers in {@code LoopBuffers}. {@code TaskQueue} has
 *     tasks from other threads. {@code Scheduler} fires deadlines: to move one later is one assignment.
 * <li>{@code ConnectionState} has the table that is the heart of the library. {@code Connection} is one
 *     client, {@code ClientSocket} its socket, {@code Timeouts} its deadlines, {@code Lingering} its end.
 * <li>{@code Exchange} is one request and its response. {@code PendingRequest} is the part of it that the
 *     library's own handlers see. {@code Place} is its place among the pending requests; {@code Abandonment}
 *     says whether a client waits.
 * <li>{@code ResponseQueue} keeps responses until the socket has taken them. {@code ResponseTail} renders the
 *     fields that depend on the moment. {@code WriteShares} limit what a turn of the loop writes: a
 *     {@code WriteShare} for small responses, and one for large ones.
 * </ol>
 * Each of the other parts can be read alone:
 * <ul>
 * <li>Streams. The core knows them as {@code Incoming}, input that is passed on as it comes, and
 *     {@code Outgoing}, a body that comes while it is sent. {@code Receiver} passes input on to a subscriber:
 *     {@code BodyReceiver} a request's body, {@code UpgradeReceiver} another protocol. {@code BodyStream} is
 *     a body that a publisher signals.
 * <li>Several loops. {@code EventLoopGroup} is several loops on one port, {@code GroupContext} what they
 *     share: it has the ledger of everything that a client can occupy. A loop by itself is a group of one.
 *     {@code Server} is what a loop and a group have in common.
 * <li>Handlers of other kinds: {@code Responder}, {@code ReceivedHandler}; {@code BlockingHandler} gives
 *     requests to an executor, perhaps to {@code BlockingThreads}; {@code ChangedCallback} changes responses.
 *     An {@code ErrorHandler} makes the server's own responses, each for a {@code ServerError}. {@code Check}
 *     refuses invalid arguments.
 * <li>The log. {@code Event} lists the events and their levels. {@code EventLog} gives them to a
 *     {@code Logger}: {@code DebugLogger}, {@code SystemLogger}, {@code NoopLogger} or the program's.
 *     {@code LogEntry} is a key and its value. {@code EscapedCause} is a cause whose messages forge no line.
 *     {@code Watchdog} reports a handler that blocks.
 * <li>Figures. {@code Counters} count; {@code Stats} is a snapshot. {@code ExchangeSummary} is a request that
 *     is over, with its response, and {@code HeaderList} its headers.
 * </ul>
 * One thread owns a loop and all its connections; {@code Connection.turn} asserts this. Other threads may
 * call the methods of {@code Server} and {@code Request}, the callback of a request, and the signals and
 * requests of a stream. While the loop runs, these calls only set a flag, add a task or a note, wake the loop
 * or read counters; {@code stop} and {@code close} may wait for its end. What loops share is atomic, or
 * guarded by the lock of {@code GroupContext}.
 * <p>
 * Where to look first:
 * <ul>
 * <li>from accept to the first byte: {@code Acceptor}; received bytes: {@code Connection.read} and
 *     {@code serve}
 * <li>what the selector watches, by state: {@code Connection.settle}; deadlines: {@code Timeouts.deadline}
 *     and {@code giveUp}
 * <li>a pipelined request while one is pending stays in the parser until {@code Connection.respondLate};
 *     {@code Connection.room} limits how much is read until then
 * <li>the first response, a second, a late one: {@code Exchange.accept} and {@code take}; what a kept
 *     callback still keeps: {@code Exchange.end}
 * <li>a large response: {@code ResponseQueue}; a body that cannot be read: {@code ResponseQueue.writeBatch},
 *     then {@code Connection.cut}; a client that does not read: {@code Connection.sendQueued}, and WRITING in
 *     {@code settle}
 * <li>a request body that is received as it comes: {@code Connection.beginBody}, then
 *     {@code BodyReceiver.choose}
 * <li>another protocol: {@code Connection.respond}, then {@code UpgradeReceiver.begin}
 * <li>a streamed response: {@code BodyStream}; {@code Connection.sendQueued} has it request more
 * <li>how much one client can occupy: the ledger in {@code GroupContext}
 * <li>what is too large: {@code RequestParser.readLine} and {@code refuseLine}; for a body {@code beginBlock}
 * <li>whether a connection persists: {@code RequestFraming.complete}, {@code Connection.respond}; how it
 *     ends: {@code Connection.finish}
 * <li>100-continue: {@code RequestParser.takeContinue}, {@code Connection.awaitMore}
 * <li>an interrupt: {@code LoopContext.checkStop}; one that a callback leaves:
 *     {@code Exchange.clearInterrupt}
 * <li>a graceful stop: {@code EventLoop.beginLeaving} and {@code turn}, {@code LoopEnd.idleDeadline}
 * <li>out of descriptors: {@code Acceptor}
 * <li>what a handler throws, also an error: {@code Exchange.call}; any other error: {@code Connection.turn},
 *     {@code EventLoop.run}
 * <li>a new option: the comment in {@code Options}; a new event: {@code Event}; a field for every response:
 *     {@code Response.render}; another kind of body: {@code Body}
 * </ul>
 */
package org.microhttp;
