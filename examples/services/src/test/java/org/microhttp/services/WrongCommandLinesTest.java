package org.microhttp.services;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.microhttp.testing.ServerProcess;
import org.microhttp.testing.Tier;
import org.microhttp.tools.testing.ToolRun;

/** A tool prints in one line what is wrong with its command line, and ends with 2 before it starts. */
@Tier.Program
final class WrongCommandLinesTest {

    /** In this JVM, which takes milliseconds; add a command line to the file. */
    @ParameterizedTest
    @CsvFileSource(resources = "/wrong-command-lines.txt", delimiter = '|', quoteCharacter = '`')
    void wrongCommandLineIsReportedInOneLine(String program, String arguments, String message) {
        ToolRun run = ToolRun.ofLine(program + " " + arguments);
        String line = program + ": " + message;
        if (line.endsWith("...")) {
            String beginning = line.substring(0, line.length() - 3).strip();
            assertTrue(run.errors().startsWith(beginning), run.errors());
            assertEquals(1, run.errors().lines().count(), run.errors());
        } else {
            assertEquals(line + "\n", run.errors());
        }
        assertEquals("", run.output());
        assertEquals(2, run.code());
    }

    /** The programs as processes: each {@code main} exits with the code that its tool returns. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "org.microhttp.tools.accesslog.AccessLog | --bogus | AccessLog: --bogus is no flag; --help lists "
                + "them",
        "chat.ChatServer | --bogus | ChatServer: --bogus is no flag; --help lists them",
        "edge.EdgeServer | --inherited-socket |"
                + " EdgeServer: no listening socket was inherited; allowed: one as standard input",
        "org.microhttp.tools.fileserver.FileServer | --bogus | FileServer: --bogus is no flag; --help lists "
                + "them",
        "org.microhttp.tools.fileserver.FileServer | compress --bogus |"
                + " FileServer compress: --bogus is no flag; --help lists them",
        "mcp.McpServer | --bogus | McpServer: --bogus is no flag; --help lists them",
        "notes.NotesServer | --bogus | NotesServer: --bogus is no flag; --help lists them",
        "org.microhttp.tools.responseserver.ResponseServer | --bogus | ResponseServer: --bogus is no flag; "
                + "--help lists them",
        "org.microhttp.tools.sitearchive.SiteArchive | archive --bogus |"
                + " SiteArchive archive: --bogus is no flag; --help lists them",
        "org.microhttp.tools.sitearchive.SiteArchive | serve --bogus |"
                + " SiteArchive serve: --bogus is no flag; --help lists them"})
    void theProgramEndsWithTheCodeOfItsTool(String main, String arguments, String message) throws Exception {
        ServerProcess.start((main + " " + arguments).split(" ")).expectEnd(2, "", message);
    }
}
