package org.microhttp.extras.files;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.extras.filesystem.FileVersion.Kind;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.TargetPath;
import org.microhttp.extras.representation.Variant;

/** Resources, which are all in memory and do not change. For any thread. */
final class ResourceSource implements FileSource {

    /** Bytes of a hash in a tag: enough that nobody finds two contents with the same tag. */
    private static final int TAG_BYTES = 16;

    private final Map<String, ServedFile> files = new HashMap<>();
    private final Set<String> folders = new HashSet<>(Set.of(""));
    private final long memory;

    /** @param contents by names relative to the root, such as {@code css/main.css} */
    ResourceSource(Map<String, ByteBuffer> contents, FileSettings settings) {
        memory = contents.values().stream().mapToLong(ResourceSource::size).sum();
        contents.keySet().forEach(name -> {
            files.put("/" + name, file(name, contents, settings));
            addFolders(name);
        });
        folders.forEach(folder -> addIndex(folder.isEmpty() ? "/" : "/" + folder + "/", settings.indexes()));
    }

    /** {@return how many bytes of memory a content takes} */
    static long size(ByteBuffer content) {
        return content.remaining() + FileContent.OVERHEAD;
    }

    private void addFolders(String name) {
        for (int at = name.indexOf('/'); at >= 0; at = name.indexOf('/', at + 1)) {
            folders.add(name.substring(0, at));
        }
    }

    private void addIndex(String key, List<String> indexes) {
        for (String index : indexes) {
            ServedFile file = files.get(key + index);
            if (file != null) {
                files.put(key, file);
                return;
            }
        }
    }

    private static ServedFile file(String name, Map<String, ByteBuffer> contents, FileSettings settings) {
        Map<Variant, ByteBuffer> variants = variants(name, contents);
        String type = settings.types().of(name.substring(name.lastIndexOf('/') + 1));
        String cacheControl = settings.rules().of("/" + name);
        var resource = new Resource(type, null, cacheControl, List.copyOf(variants.keySet()));
        List<FileContent> all = new ArrayList<>();
        variants.forEach((variant, content) -> all.add(new FileContent(resource, variant, content)));
        return new ServedFile(null, true, resource, all, System.nanoTime());
    }

    /** An empty variant is not sent, as in a folder of variants. */
    private static Map<Variant, ByteBuffer> variants(String name, Map<String, ByteBuffer> contents) {
        Map<Variant, ByteBuffer> variants = new LinkedHashMap<>();
        for (Coding coding : Coding.values()) {
            ByteBuffer content = contents.get(name + coding.suffix());
            boolean sent = coding == Coding.IDENTITY || content != null && content.hasRemaining();
            if (sent) {
                variants.put(new Variant(coding, content.remaining(), tag(coding, content)), content);
            }
        }
        return variants;
    }

    /** The same for the same bytes on all machines; different for two codings, even of the same bytes. */
    private static String tag(Coding coding, ByteBuffer content) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            hash.update(content.duplicate());
            String text = HexFormat.of().formatHex(hash.digest(), 0, TAG_BYTES);
            return "\"" + text + (coding == Coding.IDENTITY ? "" : "-" + coding.token()) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public ServedFile known(String key) {
        return files.get(key);
    }

    @Override
    public ServedFile find(TargetPath path) {
        return files.get(path.key());
    }

    @Override
    public Kind kind(String name) {
        if (folders.contains(name)) {
            return Kind.FOLDER;
        }
        return files.containsKey("/" + name) ? Kind.FILE : null;
    }

    @Override
    public OpenFile open(String key, ServedFile file, Outcome outcome) {
        throw new IllegalStateException("all resources are in memory");
    }

    @Override
    public void forget(String key) {
        throw new IllegalStateException("resources are never looked at again");
    }

    /** No file is open. */
    @Override
    public void closeAll() {
    }

    @Override
    public long memory() {
        return memory;
    }

    @Override
    public int openFiles() {
        return 0;
    }
}
