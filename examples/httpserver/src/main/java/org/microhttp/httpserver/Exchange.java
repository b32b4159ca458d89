package org.microhttp.httpserver;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.microhttp.Header;
import org.microhttp.Request;

/**
 * A request and its response, as handlers of the JDK's server see them. For the thread of the handler, or one
 * to which it hands the exchange; the loop calls only {@link #start} and {@link #onAbandoned}.
 */
final class Exchange extends HttpExchange {

    private final Request request;
    private final URI uri;
    private final Context context;
    private final Serving serving;
    private final Headers requestHeaders;
    private final Headers responseHeaders = new Headers();
    private final Answer answer;
    private final RequestStream requestStream;
    private final ResponseStream responseStream;

    /** The two streams above, or what filters have put around them. */
    private InputStream requestBody;
    private OutputStream responseBody;
    private final Map<String, Object> attributes = new HashMap<>();
    private HttpPrincipal principal;
    private int responseCode = -1;

    /** Whether a response comes too late: the exchange is closed, or its handler has failed. */
    private volatile boolean closed;

    Exchange(Request request, URI uri, Context context, Serving serving, RequestStream body) {
        this.request = request;
        this.uri = uri;
        this.context = context;
        this.serving = serving;
        requestHeaders = new RequestHeaders(request.headers());
        answer = new Answer(request.method().equals("HEAD"));
        requestStream = body;
        responseStream = new ResponseStream(answer, body);
        requestBody = requestStream;
        responseBody = responseStream;
        body.belongTo(this);
    }

    Answer answer() { return answer; }

    /** The client's TLS session; null without TLS, or if the client is gone already. */
    SSLSession session() { return request.attribute(SSLSession.class); }

    /** Has the handler run, on a thread that may block. */
    void start() {
        serving.execute(this::run);
    }

    /** The client does not wait for the response any more. */
    void onAbandoned() {
        answer.end();
        responseStream.onGone();
    }

    private void run() {
        try {
            new Filter.Chain(context.getFilters(), this::authenticate).doFilter(serving.shown(this));
        } catch (Throwable t) {
            closed = true;
            responseStream.abort(t);
        }
    }

    /** Runs after the program's filters, as with the JDK; filters may have wrapped the exchange. */
    private void authenticate(HttpExchange exchange) throws IOException {
        Authenticator authenticator = context.getAuthenticator();
        Authenticator.Result result = authenticator == null ? null : authenticator.authenticate(exchange);
        if (result instanceof Authenticator.Retry retry) {
            exchange.sendResponseHeaders(retry.getResponseCode(), -1);
        } else if (result instanceof Authenticator.Failure failure) {
            exchange.sendResponseHeaders(failure.getResponseCode(), -1);
        } else {
            principal = result instanceof Authenticator.Success success ? success.getPrincipal() : null;
            context.getHandler().handle(exchange);
        }
    }

    @Override
    public void sendResponseHeaders(int status, long length) throws IOException {
        if (responseCode >= 0) {
            throw new IOException("headers already sent");
        }
        if (closed) {
            throw new IOException("the exchange is closed");
        }
        if (status == 101) {
            throw new IOException("there is no other protocol to switch to (RFC 9110 §7.8)");
        }
        if (status >= 100 && status < 200) {
            // an interim response may be left out (RFC 9110 §15.2); the handler has yet to send the final one
            return;
        }
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status is " + status + "; allowed: 200 to 599");
        }
        responseCode = status;
        boolean toHead = request.method().equals("HEAD");
        // RFC 9112 §6.3: these have no body, whatever the handler says
        boolean empty = toHead || status == 204 || status == 304;
        addFields(length, empty);
        List<Header> fields = Answer.fields(responseHeaders, toHead || status == 304);
        long known = length == 0 ? -1 : length;
        if (empty || length < 0) {
            responseStream.beginEmpty(status, fields, toHead, known);
        } else {
            responseStream.begin(status, fields, known);
        }
    }

    /** Adds the fields that the JDK adds: handlers and filters look at them after the response. */
    private void addFields(long length, boolean empty) {
        responseHeaders.set("Date", DateField.now());
        if (empty) {
            return;
        }
        if (length != 0) {
            responseHeaders.remove("Transfer-encoding");
            responseHeaders.set("Content-length", Long.toString(Math.max(0, length)));
        } else if (!request.version().equals("HTTP/1.0")) {
            responseHeaders.remove("Content-length");
            responseHeaders.set("Transfer-encoding", "chunked");
        }
    }

    /** Closes both streams. Without a response the exchange has failed. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (responseCode < 0) {
            answer.fail(new IOException("the exchange is closed without a response"));
            requestStream.cancel();
            return;
        }
        try {
            requestBody.close();
            responseBody.close();
        } catch (IOException e) {
            responseStream.abort(e);
        }
    }

    @Override
    public Headers getRequestHeaders() { return requestHeaders; }

    @Override
    public Headers getResponseHeaders() { return responseHeaders; }

    @Override
    public URI getRequestURI() { return uri; }

    @Override
    public String getRequestMethod() { return request.method(); }

    @Override
    public HttpContext getHttpContext() { return context; }

    @Override
    public InputStream getRequestBody() { return requestBody; }

    @Override
    public OutputStream getResponseBody() { return responseBody; }

    @Override
    public InetSocketAddress getRemoteAddress() {
        return (InetSocketAddress) request.remoteAddress();
    }

    @Override
    public int getResponseCode() { return responseCode; }

    /** The address that the server is bound to: the library does not say which one the client has used. */
    @Override
    public InetSocketAddress getLocalAddress() { return serving.address(); }

    @Override
    public String getProtocol() { return request.version(); }

    /** The attribute of the exchange, or else of its context. */
    @Override
    public Object getAttribute(String name) {
        Object own = attributes.get(Objects.requireNonNull(name, "name"));
        return own == null ? context.getAttributes().get(name) : own;
    }

    @Override
    public void setAttribute(String name, Object value) {
        attributes.put(Objects.requireNonNull(name, "name"), value);
    }

    @Override
    public void setStreams(InputStream input, OutputStream output) {
        requestBody = input == null ? requestBody : input;
        responseBody = output == null ? responseBody : output;
    }

    @Override
    public HttpPrincipal getPrincipal() { return principal; }
}
