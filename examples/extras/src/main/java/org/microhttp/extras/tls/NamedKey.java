package org.microhttp.extras.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A key, its certificate, and the hosts that the certificate is for.
 *
 * @param file  where the certificate is from
 * @param chain the certificate, followed by each issuer's
 * @param hosts the DNS names of the certificate, in lower case
 */
record NamedKey(Path file, PrivateKey key, List<X509Certificate> chain, Set<String> hosts) {

    /** The tag of a DNS name in a GeneralName (RFC 5280 §4.2.1.6). */
    private static final Integer DNS_NAME = 2;

    static NamedKey of(Path file, PrivateKey key, List<X509Certificate> chain) throws IOException {
        for (int i = 1; i < chain.size(); i++) {
            // clients need them in this order (RFC 5246 §7.4.2)
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw new IOException(file + ": certificate " + (i + 1) + " is not that of the issuer of"
                        + " certificate " + i);
            }
        }
        try {
            return new NamedKey(file, key, chain, hosts(chain.get(0)));
        } catch (CertificateParsingException e) {
            throw new IOException(file + ": the certificate's names cannot be read", e);
        }
    }

    private static Set<String> hosts(X509Certificate certificate) throws CertificateParsingException {
        var hosts = new HashSet<String>();
        var names = certificate.getSubjectAlternativeNames();
        for (List<?> name : names == null ? List.<List<?>>of() : names) {
            if (name.get(0).equals(DNS_NAME)) {
                hosts.add(((String) name.get(1)).toLowerCase(Locale.ROOT));
            }
        }
        return hosts;
    }
}
