package mcp;

import java.util.Map;
import json.JsonReader;
import org.microhttp.Response;
import org.microhttp.tools.reporting.Json;

/** A message of JSON-RPC 2.0: a request; a notification, without id; or an answer, without method. */
record Message(Object id, String method, Map<?, ?> params) {

    /** @throws IllegalArgumentException if it is none, or a batch; its message is for the client */
    static Message read(byte[] body) {
        Map<?, ?> json = JsonReader.read(body) instanceof Map<?, ?> object ? object : Map.of();
        Object params = json.containsKey("params") ? json.get("params") : Map.of();
        boolean valid = json.get("method") instanceof String
                ? isId(json.get("id")) || !json.containsKey("id")
                : !json.containsKey("method") && json.containsKey("result") != json.containsKey("error");
        if (!valid || !"2.0".equals(json.get("jsonrpc")) || !(params instanceof Map<?, ?> named)) {
            throw new IllegalArgumentException("the body is not one message of JSON-RPC 2.0");
        }
        return new Message(json.get("id"), (String) json.get("method"), named);
    }

    static boolean isId(Object value) {
        return value instanceof String || value instanceof Number;
    }

    String result(Map<String, ?> result) {
        return Json.text(Map.of("jsonrpc", "2.0", "id", id, "result", result));
    }

    /** @param code of JSON-RPC 2.0, section 5.1 */
    Response error(int code, String text) {
        Map<String, ?> error = Map.of("code", code, "message", text);
        return Response.json(200, Json.text(Map.of("jsonrpc", "2.0", "id", id, "error", error)));
    }
}
