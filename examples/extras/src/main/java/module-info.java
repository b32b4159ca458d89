/** What a service adds to the library. */
@SuppressWarnings("module")
module org.microhttp.extras {
    requires transitive org.microhttp;

    exports org.microhttp.extras.accesslog;
    exports org.microhttp.extras.compression;
    exports org.microhttp.extras.cookies;
    exports org.microhttp.extras.events;
    exports org.microhttp.extras.files;
    exports org.microhttp.extras.forms;
    exports org.microhttp.extras.metrics;
    exports org.microhttp.extras.representation;
    exports org.microhttp.extras.routing;
    exports org.microhttp.extras.security;
    exports org.microhttp.extras.testserver;
    exports org.microhttp.extras.tls;
    exports org.microhttp.extras.uploads;
    exports org.microhttp.extras.websocket;

    exports org.microhttp.extras.filesystem to org.microhttp.tools;
}
