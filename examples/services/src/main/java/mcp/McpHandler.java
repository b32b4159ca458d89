package mcp;

import java.util.*;
import java.util.function.Function;
import org.microhttp.*;
import org.microhttp.extras.routing.Router;
import org.microhttp.extras.security.HostGuard;
import org.microhttp.tools.reporting.Json;

/** The endpoint: a request has one message of JSON-RPC 2.0. Safe for any number of loops. */
record McpHandler(Map<String, Tool> tools, Sessions sessions) {

    private static final Map<String, String> SERVER = Map.of("name", "McpServer", "version", "1.0.0");
    private static final List<String> REVISIONS = List.of("2025-11-25", "2025-06-18");

    /** {@return the handler, which refuses pages that are not of this machine} */
    static Handler of(Map<String, Tool> tools) {
        var endpoint = new McpHandler(tools, new Sessions());
        return HostGuard.local(new Router().on("POST", "/mcp", endpoint::post)
                .on("DELETE", "/mcp", request -> endpoint.within(request, session -> {
                    endpoint.sessions.end(session);
                    return Response.of(204);
                })));
    }

    private Response post(Request request) {
        String accept = ("" + request.values("Accept")).toLowerCase(Locale.ROOT);
        if (!accept.contains("application/json") || !accept.contains("text/event-stream")) {
            return Response.text(406, "Accept must have application/json and text/event-stream\n");
        }
        try {
            Message message = Message.read(request.body());
            return "initialize".equals(message.method()) && message.id() != null ? initialize(message)
                    : within(request, session -> answer(session, message));
        } catch (IllegalArgumentException e) {
            return Response.text(400, e.getMessage() + "\n");
        }
    }

    private Response initialize(Message message) {
        String asked = "" + message.params().get("protocolVersion");
        String revision = REVISIONS.contains(asked) ? asked : REVISIONS.get(0);
        return Response.json(200, message.result(Map.of("protocolVersion", revision,
                        "serverInfo", SERVER, "capabilities", Map.of("tools", Map.of()))))
                .withHeader("Mcp-Session-Id", sessions.open(revision, System.nanoTime()));
    }

    private Response within(Request request, Function<Sessions.Session, Response> answer) {
        String id = request.header("Mcp-Session-Id");
        Sessions.Session session = sessions.use(id, System.nanoTime());
        if (session == null) {
            return Response.text(id == null ? 400 : 404, "Mcp-Session-Id must be what initialize gave\n");
        }
        return List.of(session.revision()).containsAll(request.values("MCP-Protocol-Version"))
                ? answer.apply(session)
                : Response.text(400, "MCP-Protocol-Version must be " + session.revision() + "\n");
    }

    private Response answer(Sessions.Session session, Message message) {
        if (message.id() == null || message.method() == null) {
            Call call = session.calls().get(Json.text(message.params().get("requestId")));
            if (call != null && "notifications/cancelled".equals(message.method())) {
                call.cancel();
            }
            return Response.of(202);
        }
        return switch (message.method()) {
            case "ping" -> Response.json(200, message.result(Map.of()));
            case "tools/list" -> Response.json(200, message.result(Map.of("tools", tools.entrySet().stream()
                    .map(tool -> tool.getValue().listed(tool.getKey())).toList())));
            case "tools/call" -> call(session, message);
            default -> message.error(-32601, "methods are initialize, ping, tools/list and tools/call");
        };
    }

    private Response call(Sessions.Session session, Message message) {
        Tool tool = tools.get("" + message.params().get("name"));
        if (tool == null || !(message.params().get("arguments") instanceof Map<?, ?> arguments)) {
            return message.error(-32602, "params are the name of a tool, and an object of arguments");
        }
        String id = Json.text(message.id());
        var call = new Call(message, tool, arguments);
        session.calls().put(id, call);
        return call.response(() -> session.calls().remove(id, call));
    }
}
