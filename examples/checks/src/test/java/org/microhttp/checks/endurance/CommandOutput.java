package org.microhttp.checks.endurance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What a program has said on either of its outputs.
 *
 * @param status how it ended
 */
record CommandOutput(int status, String text) {

    /** Runs a program to its end. */
    static CommandOutput of(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandOutput(process.waitFor(), text);
    }

    /** The sum of all numbers in groups of what matches; how often it does if there are no groups. */
    long sum(String pattern) {
        return Pattern.compile(pattern).matcher(text).results().mapToLong(CommandOutput::sum).sum();
    }

    private static long sum(MatchResult found) {
        long sum = found.groupCount() == 0 ? 1 : 0;
        for (int i = 1; i <= found.groupCount(); i++) {
            sum += found.group(i) == null ? 0 : Long.parseLong(found.group(i));
        }
        return sum;
    }
}
