package org.microhttp.extras.routing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.*;

import java.io.ByteArrayOutputStream;
import java.net.URLDecoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.extras.files.FileHandler;
import org.microhttp.testing.Tier;
import org.microhttp.wire.model.RandomCases;

/**
 * What a router compares is what a handler uses: however {@code /files/private/x} is written, only the
 * handler of the prefix {@code /files/private} gets it.
 */
@Tier.Program
final class RouterPathsTest {

    private static final int RANDOM = 6_000;

    /** What some program takes for a slash, or for a slash with nothing around it. */
    private static final List<String> SLASHES = List.of("/", "%2F", "%2f", "\\", "%5C", "%5c", "//", "/./",
            "/%2e/", "/a/../", "/a/.%2E/", "/a%2f../", "%C0%AF", "%c1%9c", "%E0%80%AF");

    /** What some program takes for nothing at the end. */
    private static final List<String> ENDS = List.of("", "/", "//", "/.", "/%2e", "%2F", "\\", "%00",
            "%00.css", "#", "#/a", "?a", "%", "%7", "%zz", "%+1", "%FF", "%0A", "/..", "/../x", "/a/..",
            ";a", "%20");

    /** How a character may be written, other ones in other cases of letters included. */
    private static List<String> ways(char c) {
        if (c == '/') {
            return SLASHES;
        }
        String escape = "%%%02x".formatted((int) c);
        String overlong = "%%c%x%%%02x".formatted(c >> 6, 0x80 | c & 0x3F);
        return List.of("" + c, escape, escape.toUpperCase(Locale.ROOT), "" + Character.toUpperCase(c),
                overlong, "%25" + escape.substring(1));
    }

    /** Each pair of ways to write two characters, with each end; and random ways to write all of them. */
    private static Set<String> paths() throws Exception {
        String plain = "/files/private/x";
        Set<String> paths = new LinkedHashSet<>(
                List.of(plain, "/files/x", "/files/a/x", "/files", "/files/"));
        for (int i = 0; i < plain.length(); i++) {
            for (int j = i + 1; j < plain.length(); j++) {
                for (String one : ways(plain.charAt(i))) {
                    for (String two : ways(plain.charAt(j))) {
                        paths.add(plain.substring(0, i) + one + plain.substring(i + 1, j) + two
                                + plain.substring(j + 1));
                    }
                }
            }
        }
        RandomCases.forEach(RANDOM, random -> {
            var path = new StringBuilder();
            for (char c : plain.toCharArray()) {
                List<String> ways = ways(c);
                path.append(ways.get(random.nextInt(3) == 0 ? random.nextInt(ways.size()) : 0));
            }
            paths.add(path + ENDS.get(random.nextInt(ENDS.size())));
        });
        ENDS.forEach(end -> {
            paths.add(plain + end);
            paths.add("/files/private" + end);
        });
        // the server refuses all others
        paths.removeIf(path -> !path.startsWith("/"));
        return paths;
    }

    private static Handler naming(String name, List<String> got) {
        return (request, callback) -> {
            got.add(request.path());
            callback.accept(Response.text(200, name));
        };
    }

    private static Response response(Handler handler, String path) {
        var responses = new ArrayList<Response>();
        handler.handle(new Request("GET", path, "HTTP/1.1", List.of(), new byte[0]), responses::add);
        assertEquals(1, responses.size());
        return responses.get(0);
    }

    private static String answer(Handler handler, String path) {
        Response response = response(handler, path);
        return response.status() + " " + new String(response.body().bytes(), UTF_8);
    }

    @Test
    void nothingThatAProgramTakesForThePathPassesItsPrefix() throws Exception {
        List<String> checked = new ArrayList<>();
        List<String> open = new ArrayList<>();
        Router router = new Router().below("/files/private", naming("checked", checked))
                .below("/files", naming("open", open));
        for (String path : paths()) {
            answer(router, path);
        }
        assertTrue(checked.size() > 100, "" + checked.size());
        for (String path : open) {
            assertFalse((lenient(path) + "/").startsWith("/private/"), path);
        }
    }

    /** As the most lenient of programs reads a path. */
    private static String lenient(String path) {
        String text = percentDecoded(path.split("[?#]")[0]).replace("\u00C0\u00AF", "/")
                .replace("\u00C1\u009C", "/")
                .replace("\u00E0\u0080\u00AF", "/").replace('\\', '/').split("\0")[0];
        Deque<String> names = new ArrayDeque<>();
        for (String name : text.split("/")) {
            if (name.equals("..")) {
                names.pollLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return "/" + String.join("/", names);
    }

    private static String percentDecoded(String path) {
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < path.length(); i++) {
            String escape = path.substring(i, Math.min(path.length(), i + 3));
            if (escape.matches("%[0-9a-fA-F]{2}")) {
                bytes.write(Integer.parseInt(escape.substring(1), 16));
                i += 2;
            } else {
                bytes.write(path.charAt(i));
            }
        }
        return bytes.toString(ISO_8859_1);
    }

    @Test
    void pathsOfTheSameSegmentsHaveTheSameAnswer() throws Exception {
        Router router = new Router().below("/files/private", naming("checked", new ArrayList<>()))
                .on("GET", "/files/{name}", naming("route", new ArrayList<>()))
                .below("/files", naming("open", new ArrayList<>()));
        Map<List<String>, Map<String, String>> bySegments = new HashMap<>();
        for (String path : paths()) {
            String answer = answer(router, path);
            if (!answer.startsWith("400 ")) {
                List<String> segments = Arrays.stream(path.split("\\?")[0].split("/", -1))
                        .map(segment -> URLDecoder.decode(segment.replace("+", "%2B"), UTF_8)).toList();
                bySegments.computeIfAbsent(segments, key -> new HashMap<>()).put(answer, path);
            }
        }
        bySegments.values().forEach(answers -> assertEquals(1, answers.size(), answers::toString));
        assertEquals(Set.of("200 checked"), bySegments.get(List.of("", "files", "private", "x")).keySet());
    }

    @Test
    void filesBelowACheckedPrefixAreNotServedByAnother(@TempDir Path folder) throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("private")).resolve("x"), "not for you");
        Files.writeString(Files.createDirectory(folder.resolve("a")).resolve("x"), "public");
        try (var files = FileHandler.of(folder).withExecutor(Runnable::run).build()) {
            // known from now on, so that it is found in another way
            assertEquals(200, response(files, "/private/x").status());
            Router router = new Router()
                    .below("/files/private", (request, callback) -> callback.accept(Response.text(401, "")))
                    .below("/files", files);
            for (String path : paths()) {
                Response response = response(router, path);
                assertTrue(response.status() != 200 || path.matches("/files/a/x|/files/x"), path);
            }
            assertEquals(200, response(router, "/files/a/x").status());
            assertEquals(401, response(router, "/files/%70rivate/x").status());
        }
    }
}
