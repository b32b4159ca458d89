/**
 * What a chart and its table show. The cost of a request is a time; how many are answered is shown as a ratio
 * only: the machine, the load generator and what else runs there decide on the number.
 */
enum ReportMetric {

    CPU("cpu", "CPU time per request", "In µs, user and system, of the whole server; in brackets the ratio to"
            + " the JVM floor. Less is better."),
    RATE("throughput", "Requests per second", "As a ratio to the JVM floor. More is better. * has CPU to"
            + " spare: the load generator was the limit.");

    final String name, title, about;

    ReportMetric(String name, String title, String about) {
        this.name = name; this.title = title; this.about = about;
    }

    /** How long a bar is, or null. */
    ReportFigures.Range range(ReportFigures figures, CompareScenario scenario, ComparePeer peer) {
        return this == CPU ? figures.range(scenario, peer, CompareRound::microsPerRequest)
                : figures.ratio(scenario, peer, CompareRound::requestsPerSecond);
    }

    /** A bar's length in digits. */
    String label(ReportFigures figures, CompareScenario scenario, ComparePeer peer) {
        ReportFigures.Range range = range(figures, scenario, peer);
        if (range == null) return "not valid";
        String text = ReportFigures.text(range.median());
        if (this == RATE) return text + mark(figures, scenario, peer);
        var ratio = figures.ratio(scenario, peer, CompareRound::microsPerRequest);
        boolean alone = peer == ComparePeer.FLOOR || ratio == null;
        return alone ? text : text + " (" + ReportFigures.text(ratio.median()) + ")";
    }

    /** A table's cell, with the extremes of the ratio. */
    String cell(ReportFigures figures, CompareScenario scenario, ComparePeer peer) {
        ReportFigures.Range range = range(figures, scenario, peer);
        if (range == null) return "–";
        boolean floor = peer == ComparePeer.FLOOR;
        if (this == RATE) return (floor ? "1" : extremes(range)) + mark(figures, scenario, peer);
        var ratio = figures.ratio(scenario, peer, CompareRound::microsPerRequest);
        String text = ReportFigures.text(range.median());
        return floor || ratio == null ? text : text + "; " + extremes(ratio);
    }

    private static String mark(ReportFigures figures, CompareScenario scenario, ComparePeer peer) {
        return figures.isIdle(scenario, peer) ? "*" : "";
    }

    private static String extremes(ReportFigures.Range ratio) {
        return ratio.text(ReportFigures::text);
    }
}
