package org.microhttp.tools.sitearchive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.microhttp.testing.*;
import org.microhttp.tools.testing.ToolProcesses;

/** What the page of {@code SiteArchive} shows is printed, but for ports, times, and sizes in gzip. */
@Tier.Program
final class SiteArchivePageTest {

    private static final String PAGE =
            Readme.read(Readme.ROOT.resolve("examples/tools/sitearchive/README.md"));

    private static final String RUN = "examples/run SiteArchive";

    /** What another program reads of an archive of one file. */
    private static final String FORMAT = """
            $ mkdir site
            $ echo '<p>home' > site/index.html
            $ examples/run SiteArchive archive --sources site --archive home.cdb --exclude-strip > /dev/null
            $ cdb -q home.cdb format
            microhttp site archive 1
            $ cdb -q home.cdb P/
            identity abHUIwBMU4yc7bAV4vD1qP7s61_cLBmSwK-I-yc2Rrc INfQSH-Wjr2UXsVld9ZyYmddxTWg221OeF56fd7AI5c
            $ cdb -q home.cdb MabHUIwBMU4yc7bAV4vD1qP7s61_cLBmSwK-I-yc2Rrc
            200
            Content-Type: text/html; charset=utf-8
            ETag: "INfQSH-Wjr2UXsVld9ZyYmddxTWg221OeF56fd7AI5c"
            Cache-Control: public, immutable, max-age=3600
            $ cdb -q home.cdb CINfQSH-Wjr2UXsVld9ZyYmddxTWg221OeF56fd7AI5c
            <p>home
            $ cdb -l home.cdb
            +6:format
            +44:CINfQSH-Wjr2UXsVld9ZyYmddxTWg221OeF56fd7AI5c
            +44:MabHUIwBMU4yc7bAV4vD1qP7s61_cLBmSwK-I-yc2Rrc
            +2:P/
            +12:P/index.html
            +5:files
            +6:digest
            """;

    /** A command of a session, and what it prints. */
    private record Exchange(String command, String printed) {
    }

    @RegisterExtension
    final ToolProcesses programs = new ToolProcesses("org.microhttp.tools.sitearchive.SiteArchive");

    @TempDir
    private Path folder;

    private static List<Exchange> session(String first) {
        return exchanges(Readme.blocks(PAGE, "console").stream()
                .filter(block -> block.startsWith("$ " + first)).findFirst().orElseThrow());
    }

    private static List<Exchange> exchanges(String shown) {
        List<Exchange> exchanges = new ArrayList<>();
        for (String exchange : shown.substring(2).split("(?m)^\\$ ")) {
            int end = exchange.indexOf('\n');
            exchanges.add(new Exchange(exchange.substring(0, end), exchange.substring(end + 1)));
        }
        return exchanges;
    }

    private ServerProcess start(String command) throws IOException {
        return programs.shell("cd '" + folder + "' && " + command.replace(RUN, "$0"));
    }

    private String printed(String command) throws Exception {
        ServerProcess program = start(command);
        String output = program.output();
        String errors = program.errors();
        assertEquals(0, program.process.waitFor(), command + ": " + errors);
        return output;
    }

    private void assertShown(List<Exchange> session) throws Exception {
        for (Exchange exchange : session) {
            assertEquals(timeless(exchange.printed()), timeless(printed(exchange.command())),
                    exchange.command());
        }
    }

    private static String timeless(String text) {
        return text.strip().replaceAll("(?m)^time: .*$", "time");
    }

    @Test
    void anotherProgramReadsTheFormat() throws Exception {
        assumeTrue(Programs.isInstalled("cdb"), "no tinycdb");
        assertShown(exchanges(FORMAT));
    }

    @Test
    void anExampleOfHostsIsArchivedAndAnsweredAsShown() throws Exception {
        assumeTrue(Programs.isInstalled("cdb") && Programs.isInstalled("curl"), "no tinycdb, or no curl");
        assertShown(session("mkdir -p hosts"));
        ServerProcess server =
                start("exec " + RUN + " serve --archive hosts.cdb --bind 127.0.0.1:0").listening();
        List<List<String>> rows = Readme.table(PAGE, "URL");
        assertEquals(5, rows.size());
        for (List<String> row : rows) {
            // as if the name were that of this machine
            String here = " --connect-to ::127.0.0.1:" + server.port + " ";
            String answer = printed("curl -s -i" + here + row.get(0));
            assertTrue(answer.startsWith("HTTP/1.1 " + row.get(1) + " "), answer);
            boolean page = row.get(2).startsWith("hosts/");
            String content = page ? Files.readString(folder.resolve(row.get(2))) : "";
            assertTrue(answer.strip().endsWith(content.strip()), answer);
            assertEquals(!page, answer.contains("\nLocation: /\n"), answer);
        }
    }

    /** Another version of zlib may make another content, with another tag. */
    @Test
    void aSiteIsArchivedServedAndVisitedAsShown() throws Exception {
        assumeTrue(Programs.isInstalled("curl"), "no curl");
        Files.createSymbolicLink(folder.resolve("examples"), Readme.ROOT.resolve("examples"));
        List<Exchange> session = session(RUN);
        assertEquals(3, session.size());
        Exchange archive = session.get(0);
        assertEquals(sizeless(archive.printed()), sizeless(printed(archive.command())));
        Exchange serve = session.get(1);
        String place = "127.0.0.1:8080";
        assertEquals("listening on " + place + "\n", serve.printed());
        String command = serve.command().replace(place, "127.0.0.1:0");
        ServerProcess server = start("exec " + command).listening();
        Exchange visit = session.get(2);
        String curl = visit.command().replace(place, "127.0.0.1:" + server.port).replace("curl", "curl -s");
        assertEquals(sizeless(visit.printed()), sizeless(printed(curl)));
    }

    private static String sizeless(String text) {
        return timeless(text).replaceAll("(?m)^(bytes|Content-Length|Date|ETag): .*$", "$1").strip();
    }
}
