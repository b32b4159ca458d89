package org.microhttp.tools.sitearchive.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The keys of an archive's records, and the values that are lists of lines. All text is UTF-8, and each line
 * ends in a line feed. What is read must be exactly as it is written; else it is an {@link IOException}.
 */
public final class ArchiveFormat {

    /** The first record and the last one. */
    public static final String FORMAT = "format";
    public static final String DIGEST = "digest";

    /** The listings. */
    public static final String FILES = "files";
    public static final String FOLDERS = "folders";

    /** With what the keys of contents and metadata begin, each with an id behind it. */
    public static final char CONTENT = 'C';
    public static final char METADATA = 'M';

    /** With what keys begin that have a path behind them, or a folder. */
    public static final char PATH = 'P';
    public static final char WILDCARD = 'W';
    public static final char MISSING = 'N';

    /** The host that answers for hosts that have none of their own. */
    public static final String DEFAULT_HOST = "_default";

    /** Of records that are neither contents nor listings: no server would send more fields. */
    public static final int LONGEST_VALUE = 64 << 10;

    private static final String VERSION = "microhttp site archive 1";
    private static final String HOSTS = "hosts";

    /** Of 32 bytes, unpadded (RFC 4648 §5); the last character has but four bits. */
    private static final int ID_LENGTH = 43;
    private static final String LAST_OF_ID = "AEIMQUYcgkosw048";

    // reg-name without escapes, or IP-literal (RFC 3986 §3.2.2)
    private static final Pattern HOST =
            Pattern.compile("[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\\[[0-9a-f:.]+\\]");

    private ArchiveFormat() {
    }

    /** {@return what ids are made by} */
    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            // each JDK has it
            throw new IllegalStateException(e);
        }
    }

    /** {@return the id of bytes of this SHA-256} */
    public static String idOfDigest(byte[] digest) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    /** {@return the id of these bytes} */
    public static String idOf(byte[] bytes) {
        return idOfDigest(sha256().digest(bytes));
    }

    /** Says whether a text is an id. */
    public static boolean isId(String text) {
        if (text.length() != ID_LENGTH || LAST_OF_ID.indexOf(text.charAt(ID_LENGTH - 1)) < 0) {
            return false;
        }
        return text.chars().allMatch(ArchiveFormat::isOfId);
    }

    private static boolean isOfId(int character) {
        return character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z'
                || character >= '0' && character <= '9' || character == '_' || character == '-';
    }

    /** {@return the key of a record} */
    public static byte[] key(char letter, String name) {
        return (letter + name).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * {@return a path as it is in keys}
     *
     * @param host null if there are no hosts
     */
    public static String path(String host, String path) {
        return host == null ? path : "//" + host + path;
    }

    /** Says whether a name is that of a host as it is in keys, or the one for all others. */
    public static boolean isHost(String name) {
        return name.equals(DEFAULT_HOST) || HOST.matcher(name).matches();
    }

    /** {@return the value of the first record} */
    public static byte[] format(boolean hosts) {
        return bytes(hosts ? List.of(VERSION, HOSTS) : List.of(VERSION));
    }

    /** {@return whether an archive with this first record has hosts} */
    public static boolean hasHosts(byte[] format) throws IOException {
        boolean hosts = Arrays.equals(format, format(true));
        if (!hosts && !Arrays.equals(format, format(false))) {
            throw new IOException("its first record is not that of a site archive of this version");
        }
        return hosts;
    }

    /** {@return a list as a value} */
    public static byte[] bytes(Collection<String> lines) {
        var bytes = new ByteArrayOutputStream();
        for (String line : lines) {
            bytes.writeBytes(line.getBytes(StandardCharsets.UTF_8));
            bytes.write('\n');
        }
        return bytes.toByteArray();
    }

    /** {@return the list that a value is} */
    public static List<String> lines(byte[] value) throws IOException {
        String text = text(value);
        List<String> lines = new ArrayList<>();
        int from = 0;
        while (from < text.length()) {
            int end = text.indexOf('\n', from);
            if (end < 0) {
                throw new IOException("a list has a last line without a line feed");
            }
            lines.add(text.substring(from, end));
            from = end + 1;
        }
        return lines;
    }

    /** {@return bytes as text} */
    public static String text(byte[] bytes) throws IOException {
        var text = new String(bytes, StandardCharsets.UTF_8);
        // what is not UTF-8 has become this character, which may stand in a text, too
        if (text.indexOf('\uFFFD') < 0) {
            return text;
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IOException("a text is not UTF-8", e);
        }
    }
}
