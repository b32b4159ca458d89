package org.microhttp.extras.tls;

import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Chooses a key by the host that a client names. The JDK tries each kind of key that the client supports,
 * until one is found. An alias is an index. Safe for all threads.
 * <p>
 * The JDK resumes the session of one host for another if the client asks for that; the client has to know
 * whether the certificate is for both (RFC 8446 §4.2.11).
 */
final class NamedKeys extends X509ExtendedKeyManager {

    private final List<NamedKey> all;
    private final Map<String, List<NamedKey>> byHost = new HashMap<>();

    /** For clients that name another host or none: the first key, and others with the same hosts. */
    private final List<NamedKey> others;

    /** @throws IOException if there is a key that no client would get */
    NamedKeys(List<NamedKey> all) throws IOException {
        this.all = all;
        others = all.stream().filter(key -> key.hosts().equals(all.get(0).hosts())).toList();
        for (NamedKey key : all) {
            if (key.hosts().isEmpty() && !others.contains(key)) {
                throw new IOException(key.file() + ": its certificate has no DNS name (subjectAltName), so no"
                        + " client would get it");
            }
            key.hosts().forEach(host -> byHost.computeIfAbsent(host, h -> new ArrayList<>()).add(key));
        }
    }

    private List<NamedKey> of(String host) {
        List<NamedKey> exact = byHost.get(host);
        int dot = host.indexOf('.');
        if (exact != null || dot < 0) {
            return exact == null ? others : exact;
        }
        // * is for one label (RFC 6125 §6.4.3)
        return byHost.getOrDefault("*" + host.substring(dot), others);
    }

    /** The keys for the host that the client names. */
    private List<NamedKey> requested(SSLEngine engine) {
        if (!(engine.getHandshakeSession() instanceof ExtendedSSLSession session)) {
            // later versions of Java look for the certificate of a TLS 1.2 ticket before the host is known;
            // without it they do a full handshake
            return others;
        }
        for (SNIServerName name : session.getRequestedServerNames()) {
            if (name instanceof SNIHostName host) {
                return of(host.getAsciiName().toLowerCase(Locale.ROOT));
            }
        }
        return others;
    }

    @Override
    public String chooseEngineServerAlias(String kind, Principal[] issuers, SSLEngine engine) {
        for (NamedKey key : requested(engine)) {
            if (key.key().getAlgorithm().equals(kind)) {
                return "" + all.indexOf(key);
            }
        }
        return null;
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return all.get(Integer.parseInt(alias)).key();
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return all.get(Integer.parseInt(alias)).chain().toArray(X509Certificate[]::new);
    }

    // the rest is for sockets and clients, which the front does not have

    @Override
    public String[] getServerAliases(String kind, Principal[] issuers) {
        return null;
    }

    @Override
    public String chooseServerAlias(String kind, Principal[] issuers, Socket socket) {
        return null;
    }

    @Override
    public String[] getClientAliases(String kind, Principal[] issuers) {
        return null;
    }

    @Override
    public String chooseClientAlias(String[] kinds, Principal[] issuers, Socket socket) {
        return null;
    }
}
