package org.microhttp.testing;

import java.io.IOException;

/** A process that runs a program of {@code examples}. */
public final class ExampleProcess extends ServerProcess {

    public ExampleProcess(ProcessBuilder builder) throws IOException {
        super(builder);
    }

    /** Runs Java, see {@link #command}. */
    public static ExampleProcess start(String... arguments) throws IOException {
        return new ExampleProcess(new ProcessBuilder(command(arguments)));
    }

    @Override
    public ExampleProcess listening() throws IOException {
        super.listening();
        return this;
    }
}
