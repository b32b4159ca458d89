/** A provider of the JDK's {@code HttpServer}. */
module org.microhttp.httpserver {
    requires transitive jdk.httpserver;
    requires org.microhttp;
    requires org.microhttp.extras;

    exports org.microhttp.httpserver;

    provides com.sun.net.httpserver.spi.HttpServerProvider with org.microhttp.httpserver.MicrohttpProvider;
}
