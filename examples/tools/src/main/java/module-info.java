/**
 * Programs to run. All packages are exported for their documentation alone: nobody depends on this module.
 */
module org.microhttp.tools {
    requires java.management;
    requires jdk.jfr;
    requires transitive org.microhttp;
    requires transitive org.microhttp.extras;

    exports org.microhttp.tools;
    exports org.microhttp.tools.accesslog;
    exports org.microhttp.tools.cdb;
    exports org.microhttp.tools.commandline;
    exports org.microhttp.tools.fileserver;
    exports org.microhttp.tools.filesystem;
    exports org.microhttp.tools.processes;
    exports org.microhttp.tools.reporting;
    exports org.microhttp.tools.responseserver;
    exports org.microhttp.tools.servertool;
    exports org.microhttp.tools.sitearchive;
    exports org.microhttp.tools.sitearchive.format;
    exports org.microhttp.tools.sitearchive.making;
    exports org.microhttp.tools.sitearchive.serving;
}
