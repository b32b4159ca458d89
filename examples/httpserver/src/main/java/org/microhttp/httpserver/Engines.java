package org.microhttp.httpserver;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.microhttp.extras.tls.TlsSettings;

/**
 * Makes the TLS engines of a server's connections as its {@code HttpsConfigurator} says. Called by threads of
 * the TLS front once the server is started; from then on the server keeps its configurator.
 */
final class Engines implements TlsSettings.Engines {

    private volatile HttpsConfigurator configurator;

    /** What a configurator sets for one connection. */
    private static final class Parameters extends HttpsParameters {

        private final HttpsConfigurator configurator;
        private final InetSocketAddress client;
        private SSLParameters given;

        Parameters(HttpsConfigurator configurator, InetSocketAddress client) {
            this.configurator = configurator;
            this.client = client;
        }

        @Override
        public HttpsConfigurator getHttpsConfigurator() { return configurator; }

        @Override
        public InetSocketAddress getClientAddress() { return client; }

        @Override
        public void setSSLParameters(SSLParameters parameters) {
            given = parameters;
        }
    }

    void configureBy(HttpsConfigurator given) {
        configurator = Objects.requireNonNull(given, "configurator");
    }

    HttpsConfigurator configurator() { return configurator; }

    @Override
    public SSLEngine make(InetSocketAddress client) throws IOException {
        HttpsConfigurator by = configurator;
        if (by == null) {
            throw new IOException("the server has no HttpsConfigurator");
        }
        var parameters = new Parameters(by, client);
        by.configure(parameters);
        SSLEngine engine = by.getSSLContext().createSSLEngine(client.getHostString(), client.getPort());
        engine.setUseClientMode(false);
        set(engine, parameters);
        return engine;
    }

    /** Sets the {@code SSLParameters} that the configurator gave, or else its {@code HttpsParameters}. */
    private static void set(SSLEngine engine, Parameters parameters) {
        if (parameters.given != null) {
            engine.setSSLParameters(parameters.given);
            return;
        }
        if (parameters.getCipherSuites() != null) {
            engine.setEnabledCipherSuites(parameters.getCipherSuites());
        }
        if (parameters.getProtocols() != null) {
            engine.setEnabledProtocols(parameters.getProtocols());
        }
        engine.setWantClientAuth(parameters.getWantClientAuth());
        if (parameters.getNeedClientAuth()) {
            engine.setNeedClientAuth(true);
        }
    }
}
