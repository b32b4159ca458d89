package org.microhttp.extras.files;

import static org.junit.jupiter.api.Assertions.*;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.*;
import org.microhttp.extras.testing.FileSite;
import org.microhttp.extras.testing.PackedProgram;
import org.microhttp.extras.testing.PackedProgram.Form;
import org.microhttp.testing.Tier;

/** Files of a folder and the same files as resources get the same answers, but for what tells versions. */
@Tier.Program
final class TwoSourcesTest {

    private static final String[] PIECES = {"/", "/", "/", "a", "d", "e", "x", ".js", ".", "..", "%2e", "%2f",
        "%5C", "%00", "%C3%A9", "%c3", "index.html", ".gz", ".git", ".well-known", "%", "//", ";", "?", "~"};

    private static final String[] FIELDS = {"Accept: text/html", "Accept: */*", "Accept-Encoding: gzip, br",
        "Accept-Encoding: gzip", "Accept-Encoding: *;q=0", "Range: bytes=1-2", "Range: bytes=90-",
        "If-Match: \"x\"", "If-None-Match: *", "If-Match: *", "If-Range: \"x\""};

    private static final Set<String> OF_VERSIONS = Set.of("ETag", "Last-Modified");

    @TempDir
    private Path folder;

    private static Request request(SplittableRandom random) {
        var target = new StringBuilder("/");
        for (int i = random.nextInt(6); i > 0; i--) {
            target.append(PIECES[random.nextInt(PIECES.length)]);
        }
        List<Header> fields = new ArrayList<>(List.of(new Header("Host", "x")));
        for (int i = random.nextInt(3); i > 0; i--) {
            String[] field = FIELDS[random.nextInt(FIELDS.length)].split(": ");
            fields.add(new Header(field[0], field[1]));
        }
        String method = List.of("GET", "GET", "GET", "HEAD", "POST").get(random.nextInt(5));
        return new Request(method, target.toString(), "HTTP/1.1", fields, new byte[0]);
    }

    private static String answer(FileHandler handler, Request request) throws Exception {
        List<Response> responses = new ArrayList<>();
        handler.handle(request, responses::add);
        assertEquals(1, responses.size());
        Response response = responses.get(0);
        Map<String, String> fields = new TreeMap<>();
        for (Header field : response.headers()) {
            if (!OF_VERSIONS.contains(field.name())) {
                fields.merge(field.name(), field.value(), (one, other) -> one + ", " + other);
            }
        }
        String text = new String(response.body().bytes());
        response.release();
        return response.status() + " " + fields + " " + text;
    }

    @Test
    void foldersAndResourcesAnswerAlike() throws Exception {
        var program = new PackedProgram(folder);
        Path root = folder.resolve("root");
        for (String file : List.of("index.html home", "404.html not here", "a.js 0123456789", "d/x x of d",
                "d/e/index.html e", "\u00E9 e", ".git/x hidden", "d/.x hidden", ".well-known/x known",
                "a.js.gz gzip", "a.js.br br")) {
            String[] words = file.split(" ", 2);
            program.with("app/web/" + words[0], words[1]);
            FileSite.settle(FileSite.write(root.resolve(words[0]), words[1].getBytes()));
        }
        Path cache = Files.createDirectory(folder.resolve("cache"));
        FileTime modified = Files.getLastModifiedTime(root.resolve("a.js"));
        for (String variant : new String[] {"a.js.gz", "a.js.br"}) {
            Path copy = Files.copy(root.resolve(variant), cache.resolve(variant));
            Files.setLastModifiedTime(copy, modified);
        }
        FileHandlerBuilder folders = FileHandler.of(root).withVariants(cache).withExecutor(Runnable::run);
        FileHandlerBuilder jars = FileHandler.ofResources(program.load(Form.JAR_WITHOUT_FOLDERS), "web");
        try (program; FileHandler site = withRules(folders); FileHandler resources = withRules(jars)) {
            compare(site, resources);
        }
    }

    private static FileHandler withRules(FileHandlerBuilder builder) throws Exception {
        return builder.withFallback("/index.html").withCacheControl("*.js", "max-age=60").build();
    }

    private static void compare(FileHandler site, FileHandler resources) throws Exception {
        var random = new SplittableRandom(11);
        Map<Integer, Integer> statuses = new TreeMap<>();
        for (int i = 0; i < 20_000; i++) {
            Request request = request(random);
            String expected = answer(site, request);
            assertEquals(expected, answer(resources, request), request + " " + request.headers());
            assertFalse(expected.contains("hidden"), expected);
            statuses.merge(Integer.parseInt(expected.substring(0, 3)), 1, Integer::sum);
        }
        assertEquals(Set.of(200, 206, 301, 304, 404, 405, 406, 412, 416), statuses.keySet(), "" + statuses);
    }
}
