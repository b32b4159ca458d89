package org.microhttp.compare;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.microhttp.measure.Arguments;
import org.microhttp.measure.ResultFile;
import org.microhttp.measure.Row;

/** The description of a comparison: its servers, what they are asked, and what they must answer. */
public abstract class Comparison {

    /** The command of wrk; words in capitals stand for values. */
    static final String WRK =
            "wrk -tTHREADS -cCONNECTIONS -dSECONDSs --timeout 60s -s PROJECT/src/jmh/wrk.lua URL -- MODE";

    /** The name of its script in src/jmh. */
    public final String name;

    /** The name of its result file. */
    public final String result;

    /** All servers, in the order of the tables. */
    public final List<Server> servers;

    Comparison(String name, String result, List<Server> servers) {
        this.name = name;
        this.result = result;
        this.servers = servers;
    }

    /** {@return what the options choose, in order; takes its own options} */
    abstract List<Case> cases(Arguments options);

    public abstract boolean takesPart(Server server, Case asked);

    /** {@return what a case is called} */
    public abstract String title(Case asked);

    /**
     * Makes what the servers serve.
     *
     * @param result    gets facts, and lines that are measured without load
     * @param problems  gets what goes wrong
     */
    abstract void prepare(Plan plan, ResultFile result, List<String> problems) throws IOException;

    /** {@return what a server is started with: while that is the same, the same process goes on} */
    abstract Map<String, String> values(Plan plan, Server server, Case asked);

    abstract List<ExpectedAnswer> expected(Case asked) throws IOException;

    /** {@return what wrk is told, see wrk.lua} */
    abstract String options(Plan plan, Case asked);

    /** {@return the target that a load generator is given} */
    String target(Case asked) { return "/"; }

    /** {@return the command of the load generator} */
    String load(Case asked) { return WRK; }

    /** {@return what a server is warmed up with} */
    Case warming(Case asked) { return asked; }

    /** Does what must come before each measurement. */
    void before(Case asked) throws IOException { }

    /** {@return how long a case is measured, where an ordinary one takes so many seconds} */
    double seconds(Case asked, double ordinary) { return ordinary; }

    /** {@return in how many rounds a server is measured} */
    int rounds(Case asked, Server server, int ordinary) { return ordinary; }

    /** {@return how many requests were answered; of large answers as many as the bytes would be} */
    public double answers(Row row) { return row.number("requests"); }
}
