package org.microhttp.extras.tls;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The files with a certificate and its key, or a key store with several.
 *
 * @param paths    certificate and key, which may be one file; or the key store alone
 * @param password of the key store; null for PEM files
 */
record KeyFiles(List<Path> paths, char[] password) {

    static KeyFiles ofPem(Path certificate, Path key) {
        return new KeyFiles(List.of(certificate, key), null);
    }

    static KeyFiles ofStore(Path file, char[] password) {
        return new KeyFiles(List.of(file), password);
    }

    /** Reads at least one key; the message of an exception names the file and the error. */
    List<NamedKey> read() throws IOException {
        return password == null ? List.of(readPem()) : readStore();
    }

    private NamedKey readPem() throws IOException {
        List<X509Certificate> chain = new PemFile(paths.get(0)).certificates();
        PrivateKey key = new PemFile(paths.get(1)).key(chain.get(0).getPublicKey());
        return NamedKey.of(paths.get(0), key, chain);
    }

    private List<NamedKey> readStore() throws IOException {
        Path file = paths.get(0);
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException("" + file);
        }
        try {
            return keys(KeyStore.getInstance(file.toFile(), password));
        } catch (GeneralSecurityException | IOException e) {
            // Java 17 rejects a password that is not ASCII as wrong; the cause says why
            String why = e.getCause() == null ? "" : " (" + e.getCause().getMessage() + ")";
            throw new IOException(file + ": " + e.getMessage() + why, e);
        }
    }

    private List<NamedKey> keys(KeyStore store) throws IOException, GeneralSecurityException {
        var all = new ArrayList<NamedKey>();
        for (String alias : Collections.list(store.aliases())) {
            Key key = store.isKeyEntry(alias) ? store.getKey(alias, password) : null;
            if (key instanceof PrivateKey secret) {
                X509Certificate[] chain = Arrays.copyOf(store.getCertificateChain(alias),
                        store.getCertificateChain(alias).length, X509Certificate[].class);
                all.add(NamedKey.of(paths.get(0), secret, List.of(chain)));
            }
        }
        if (all.isEmpty()) {
            throw new IOException("it has no key with a certificate");
        }
        return all;
    }
}
