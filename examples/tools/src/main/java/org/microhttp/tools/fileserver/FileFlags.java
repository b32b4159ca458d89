package org.microhttp.tools.fileserver;

import java.util.List;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.servertool.LogFlags;

/** The flags of FileServer alone, where it serves. */
final class FileFlags {

    static final Flag ROOT = Flag.of("-r", "--root", "DIR", "the folder that is served").required();

    static final Flag CACHE = Flag.of("", "--cache", "DIR",
            "the folder of compressed variants that FileServer compress has made");

    static final Flag MEMORY = Flag.of("", "--memory", "SIZE",
            "of content kept in memory, as 500k; 0 for none; default 64m, or a quarter of the heap if less");

    static final Flag LIST = Flag.of("", "--list", "", "list folders that have no index file");

    static final Flag MIME_TYPES = Flag.of("", "--mime-types", "FILE",
            "media types by suffix, as nginx's or Apache's mime.types");

    static final Flag CACHE_CONTROL = Flag.of("", "--cache-control", "'PATTERN=VALUE'",
            "Cache-Control of what matches, as '*.css=max-age=60'; may be repeated").repeated();

    static final LogFlags LOG = LogFlags.BESIDE;

    static final List<Flag> ALL = List.of(ROOT, CACHE, MEMORY, LIST, MIME_TYPES, CACHE_CONTROL,
            LOG.file(),
            LOG.style(), LOG.trust());

    private FileFlags() {
    }
}
