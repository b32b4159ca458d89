package org.microhttp.extras.tls;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * A file of certificates and keys as text (RFC 7468), as OpenSSL writes it. Text between the blocks is
 * skipped. An error in the file is an {@link IOException} that names the file.
 */
final class PemFile {

    /** More than any chain of certificates has. */
    private static final int LARGEST = 1 << 20;

    private static final String BEGIN = "-----BEGIN ", DASHES = "-----";

    /** PKCS#8, PKCS#1 and SEC 1. */
    private static final List<String> KEYS = List.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY");

    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private static final int INTEGER = 0x02, OCTET_STRING = 0x04, SEQUENCE = 0x30;

    private final Path file;
    private final List<Block> blocks = new ArrayList<>();

    private record Block(String label, String text) { }

    PemFile(Path file) throws IOException {
        this.file = file;
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LARGEST + 1);
        }
        if (bytes.length > LARGEST) {
            throw wrong("it is larger than " + LARGEST + " bytes", null);
        }
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        int at = text.indexOf(BEGIN);
        while (at >= 0) {
            at = text.indexOf(BEGIN, take(text, at + BEGIN.length()));
        }
    }

    /** Takes the block whose label begins here; returns where it ends. */
    private int take(String text, int begin) throws IOException {
        int content = text.indexOf(DASHES, begin);
        String label = content < 0 ? "\n" : text.substring(begin, content);
        if (label.contains("\n")) {
            // not a BEGIN line
            return begin;
        }
        int end = text.indexOf("-----END " + label + DASHES, content);
        if (end < 0) {
            throw wrong("\"BEGIN " + label + "\" has no end", null);
        }
        blocks.add(new Block(label, text.substring(content + DASHES.length(), end)));
        return end;
    }

    /** All certificates in their order, at least one. */
    List<X509Certificate> certificates() throws IOException {
        var all = new ArrayList<X509Certificate>();
        for (Block block : blocks) {
            if (block.label.equals("CERTIFICATE")) {
                all.add(certificate(block));
            }
        }
        if (all.isEmpty()) {
            throw wrong("it has no \"BEGIN CERTIFICATE\"", null);
        }
        return all;
    }

    private X509Certificate certificate(Block block) throws IOException {
        try {
            var in = new ByteArrayInputStream(bytes(block));
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        } catch (GeneralSecurityException e) {
            throw wrong("a certificate cannot be read", e);
        }
    }

    /** The first key of the file, which must match this public key. */
    PrivateKey key(PublicKey certified) throws IOException {
        for (Block block : blocks) {
            if (block.label.endsWith("PRIVATE KEY")) {
                checkKind(block);
                return key(bytes(block), block.label, certified);
            }
        }
        throw wrong("it has no \"BEGIN PRIVATE KEY\"", null);
    }

    private void checkKind(Block block) throws IOException {
        if (block.label.startsWith("ENCRYPTED") || block.text.contains("ENCRYPTED")) {
            throw wrong("the key is encrypted; openssl pkey -in FILE -out NEW decrypts it", null);
        }
        if (!KEYS.contains(block.label)) {
            throw wrong("its key is \"BEGIN " + block.label + "\"; allowed: " + String.join(", ", KEYS),
                    null);
        }
    }

    private PrivateKey key(byte[] bytes, String label, PublicKey certified) throws IOException {
        byte[] whole = label.equals("PRIVATE KEY") ? bytes : wrap(bytes, certified);
        try {
            PrivateKey key = KeyFactory.getInstance(certified.getAlgorithm())
                    .generatePrivate(new PKCS8EncodedKeySpec(whole));
            if (isPair(key, certified)) {
                return key;
            }
        } catch (GeneralSecurityException | RuntimeException e) {
            throw wrong("its key cannot be read as one of " + certified.getAlgorithm()
                    + ", as the certificate has it", e);
        }
        throw wrong("its key is not that of the certificate", null);
    }

    /** Verifies a signature: with a wrong key every handshake would fail. True for unknown kinds of keys. */
    private static boolean isPair(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String name = SIGNATURES.get(certified.getAlgorithm());
        if (name == null) {
            return true;
        }
        Signature signature = Signature.getInstance(name);
        signature.initSign(key);
        // the JDK's EdDSA does not verify its own signature of an empty message
        signature.update(new byte[1]);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(new byte[1]);
        return signature.verify(signed);
    }

    /**
     * Wraps a key in PKCS#1 (RFC 8017 §A.1.2) or SEC 1 (RFC 5915 §3) into PKCS#8 (RFC 5208 §5). The algorithm
     * and its curve come from the certificate.
     * <pre>
     *   PrivateKeyInfo ::= SEQUENCE { version INTEGER, algorithm AlgorithmIdentifier, key OCTET STRING }
     * </pre>
     */
    private static byte[] wrap(byte[] inner, PublicKey certified) {
        return element(SEQUENCE, join(element(INTEGER, new byte[1]), algorithm(certified.getEncoded()),
                element(OCTET_STRING, inner)));
    }

    /** {@code SubjectPublicKeyInfo ::= SEQUENCE { algorithm AlgorithmIdentifier, ... }} (RFC 5280 §4.1). */
    private static byte[] algorithm(byte[] publicKeyInfo) {
        ByteBuffer info = ByteBuffer.wrap(publicKeyInfo);
        takeLength(info);
        int begin = info.position();
        int length = takeLength(info);
        return Arrays.copyOfRange(publicKeyInfo, begin, info.position() + length);
    }

    /** Skips the type of an element, and reads its length. */
    private static int takeLength(ByteBuffer info) {
        info.get();
        int length = info.get();
        int more = length < 0 ? length & 0x7F : 0;
        for (int i = 0; i < more; i++) {
            length = (i == 0 ? 0 : length << 8) | info.get() & 0xFF;
        }
        return length;
    }

    /** An element of less than 64 KiB. */
    private static byte[] element(int type, byte[] content) {
        int length = content.length;
        byte[] head = length < 0x80 ? new byte[] {(byte) type, (byte) length}
                : length < 0x100 ? new byte[] {(byte) type, (byte) 0x81, (byte) length}
                : new byte[] {(byte) type, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return join(head, content);
    }

    private static byte[] join(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private byte[] bytes(Block block) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(block.text);
        } catch (IllegalArgumentException e) {
            throw wrong("\"BEGIN " + block.label + "\" is not in base64", e);
        }
    }

    private IOException wrong(String what, Throwable cause) {
        return new IOException(file + ": " + what, cause);
    }
}
