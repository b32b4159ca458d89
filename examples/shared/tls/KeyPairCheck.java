package tls;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Map;

/** Says whether two keys are a pair, by a signature; else every handshake would fail. */
final class KeyPairCheck {

    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "EdDSA");

    private KeyPairCheck() {
    }

    /** True also for a kind of keys that is not known. */
    static boolean belong(PrivateKey key, PublicKey certified) throws GeneralSecurityException {
        String name = SIGNATURES.get(certified.getAlgorithm());
        if (name == null) {
            return true;
        }
        Signature signature = Signature.getInstance(name);
        signature.initSign(key);
        signature.update(new byte[1]);
        byte[] signed = signature.sign();
        signature.initVerify(certified);
        signature.update(new byte[1]);
        return signature.verify(signed);
    }
}
