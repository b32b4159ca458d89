package org.microhttp.lifecycle.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.*;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.testing.Programs;
import org.microhttp.testing.ServerProcess;

/**
 * What systemd or inetd are to a server: it listens, and starts one as often as it is asked to, with the
 * listening socket as its standard input. Written in Perl: no process of Java can hand a socket to another.
 */
public final class SocketParent implements AutoCloseable {

    private static final String PROGRAM = """
            use strict; use POSIX; use IO::Socket::INET; use IO::Socket::UNIX; $| = 1;
            my ($path, @command) = @ARGV;
            my $listening = $path ? IO::Socket::UNIX->new(Local => $path, Listen => 1024)
                : IO::Socket::INET->new(LocalAddr => '127.0.0.1', Listen => 1024);
            print $path ? 0 : $listening->sockport, "\\n";
            my $child;
            while (<STDIN>) {
                if (/start/) {
                    $child = fork;
                    next if $child;
                    dup2(fileno($listening), 0);
                    exec @command;
                }
                kill 'TERM', $child if /stop/;
                waitpid $child, 0;
                print "ended\\n";
            }
            kill 'KILL', $child if $child;
            """;

    public final SocketAddress address;
    private final Process process;
    private final BufferedReader output;

    /** @param path of a Unix domain socket, or null for a free port */
    public SocketParent(Path path, String mainClass, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of("perl", "-e", PROGRAM, path == null ? "" : path.toString()));
        command.addAll(program(mainClass, arguments));
        var builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        process = Programs.withoutJavaOptions(builder).start();
        output = process.inputReader();
        int port = Integer.parseInt(output.readLine());
        address = path == null ? new InetSocketAddress("127.0.0.1", port) : UnixDomainSocketAddress.of(path);
    }

    /** A command that runs a class of the tests in a JVM of its own. */
    public static List<String> program(String mainClass, String... arguments) {
        List<String> command = ServerProcess.command(mainClass);
        command.addAll(List.of(arguments));
        return command;
    }

    /** Skips a test where none can be had. */
    public static void assumePossible() {
        assumeTrue(Programs.isInstalled("perl"), "no perl");
    }

    /** Returns when the server says that it listens. */
    public void start() throws IOException {
        tell("start");
        assertEquals("listening", output.readLine());
    }

    private void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes());
        process.getOutputStream().flush();
    }

    /** Ends the server by a signal, and returns when it has ended. */
    public void stop() throws IOException {
        tell("stop");
        assertEquals("ended", output.readLine());
    }

    /** Ends its server, too. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
    }
}
