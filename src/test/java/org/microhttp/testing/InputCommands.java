package org.microhttp.testing;

import java.io.*;
import java.util.function.Function;

/** The orders to a program in a process of its own: lines on its standard input, until that ends. */
public final class InputCommands {

    private InputCommands() {
    }

    /** From now on a thread prints what is the answer to each line. The program ends with its input. */
    public static void answer(Function<String, Object> answers) {
        var reader = new Thread(() -> obey(answers));
        reader.setDaemon(true);
        reader.start();
    }

    private static void obey(Function<String, Object> answers) {
        try (var in = new BufferedReader(new InputStreamReader(System.in))) {
            for (String line; (line = in.readLine()) != null; ) {
                System.out.println(answers.apply(line));
            }
            System.exit(0);
        } catch (IOException e) {
            System.exit(1);
        }
    }
}
