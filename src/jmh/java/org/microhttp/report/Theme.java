package org.microhttp.report;

/** The colours of a chart, for a page that is light, and for one that is dark. */
enum Theme {

    LIGHT("light", "#ffffff", "#1f2328", "#59636e", "#0969da", "#eff2f5", "#818b98"),
    DARK("dark", "#0d1117", "#f0f6fc", "#9198a1", "#4493f8", "#262c36", "#656c76");

    final String name, paper, ink, faint, ours, floor, others;

    Theme(String name, String paper, String ink, String faint, String ours, String floor,
          String others) {
        this.name = name;
        this.paper = paper;
        this.ink = ink;
        this.faint = faint;
        this.ours = ours;
        this.floor = floor;
        this.others = others;
    }
}
