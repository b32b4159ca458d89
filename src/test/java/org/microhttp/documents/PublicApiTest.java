package org.microhttp.documents;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.microhttp.EventLoop;
import org.microhttp.EventLoopGroup;
import org.microhttp.Server;
import org.microhttp.testing.Readme;
import org.microhttp.testing.TestServer;

/** The public members of the library are those of the file {@code api.txt}, so none goes by accident. */
final class PublicApiTest {

    private static final Path FILE = Readme.ROOT.resolve("src/test/resources/api.txt");
    private static final Pattern PACKAGE = Pattern.compile("\\b[a-z]\\w*\\.(?=[\\w.]*\\b[A-Z])");

    private static String text(String member) {
        return PACKAGE.matcher(member).replaceAll("");
    }

    private static Stream<String> members(Class<?> type) {
        Stream<String> members = Stream.of(type.getDeclaredConstructors(), type.getDeclaredMethods(),
                        type.getDeclaredFields()).flatMap(Stream::of).map(Member.class::cast)
                .filter(member -> Modifier.isPublic(member.getModifiers()) && !member.isSynthetic())
                .map(member -> member instanceof Executable method ? method.toGenericString()
                        : ((Field) member).toGenericString());
        String itself = Modifier.toString(type.getModifiers()) + " " + type.getSimpleName();
        return Stream.concat(Stream.of(itself), members).map(PublicApiTest::text);
    }

    @Test
    void membersAreThoseOfTheFile() throws ClassNotFoundException {
        Set<String> members = new TreeSet<>();
        for (Path source : Readme.sources("src/main/java/org/microhttp")) {
            String name = Readme.name(source);
            if (source.getParent().endsWith("protocol") || name.endsWith("-info")) continue;
            Class<?> type = Class.forName("org.microhttp." + name);
            if (Modifier.isPublic(type.getModifiers())) members(type).forEach(members::add);
        }
        List<String> listed = Readme.read(FILE).lines().filter(line -> line.startsWith("public ")).toList();
        Readme.assertSame(members, listed,
                "A member is added with its line, and goes only with a new first number of the version: "
                + FILE);
    }

    /** The port may be taken: then the message names it. */
    @Test
    void serverWithoutOptionsListensAtPort8080() throws Exception {
        for (Callable<Server> made : List.<Callable<Server>>of(() -> new EventLoop(TestServer::echoTarget),
                () -> new EventLoopGroup(TestServer::echoTarget))) {
            try (Server server = made.call()) {
                assertEquals(8080, server.getPort());
            } catch (IOException e) {
                assertInstanceOf(BindException.class, e.getCause());
                assertTrue(e.getMessage().contains("8080"), e.getMessage());
            }
        }
    }
}
