package org.microhttp.tools.processes;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.tools.commandline.Flag;

/**
 * How a tool starts itself once more: by the Java that it runs in, with the same flags of the JVM, classes
 * and arguments.
 *
 * @param flag  asks for several processes
 * @param main  the program's class
 * @param first what its arguments begin with, before those that the tool reads
 */
public record ProcessCommand(Flag flag, Class<?> main, List<String> first) {

    /** {@return the command with these arguments} */
    public List<String> of(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flagsOfTheJvm());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(first);
        command.addAll(List.of(arguments));
        return command;
    }

    private List<String> flagsOfTheJvm() {
        try {
            return ManagementFactory.getRuntimeMXBean().getInputArguments();
        } catch (LinkageError e) {
            throw new IllegalArgumentException(
                    flag + " needs the module java.management, which this Java has not");
        }
    }
}
