package org.microhttp.extras.files;

import java.util.List;
import org.microhttp.extras.accesslog.LogFlags;
import org.microhttp.extras.commandline.Flag;

/** The flags of FileServer alone, where it serves. */
public final class FileFlags {

    public static final Flag ROOT = Flag.of("-r", "--root", "DIR", "the folder that is served").required();

    public static final Flag CACHE = Flag.of("", "--cache", "DIR",
            "the folder of compressed variants that FileServer compress has made");

    public static final Flag MEMORY = Flag.of("", "--memory", "SIZE",
            "of content kept in memory, as 500k; 0 for none; default 64m, or a quarter of the heap if less");

    public static final Flag LIST = Flag.of("", "--list", "", "list folders that have no index file");

    public static final Flag MIME_TYPES = Flag.of("", "--mime-types", "FILE",
            "media types by suffix, as nginx's or Apache's mime.types");

    public static final Flag CACHE_CONTROL = Flag.of("", "--cache-control", "'PATTERN=VALUE'",
            "Cache-Control of what matches, as '*.css=max-age=60'; may be repeated").repeated();

    public static final LogFlags LOG = LogFlags.BESIDE;

    public static final List<Flag> ALL = List.of(ROOT, CACHE, MEMORY, LIST, MIME_TYPES, CACHE_CONTROL,
            LOG.file(),
            LOG.style(), LOG.trust());

    private FileFlags() {
    }
}
