package org.microhttp.providers;

/** A provider of the JDK's {@code HttpServer}: its class, and whether its handlers run on its own threads. */
enum Provider {

    JDK("the JDK's", "sun.net.httpserver.DefaultHttpServerProvider", false),
    OURS("this one", "org.microhttp.httpserver.MicrohttpProvider", false),
    ROBAHO("robaho's httpserver 1.0.27", "robaho.net.httpserver.DefaultHttpServerProvider", false),
    // its executor also runs its selectors, which would hold the carriers of virtual threads
    JETTY("Jetty's 12.0.16", "org.eclipse.jetty.http.spi.JettyHttpServerProvider", true);

    final String title, type;
    final boolean ownThreads;

    Provider(String title, String type, boolean ownThreads) {
        this.title = title;
        this.type = type;
        this.ownThreads = ownThreads;
    }
}
