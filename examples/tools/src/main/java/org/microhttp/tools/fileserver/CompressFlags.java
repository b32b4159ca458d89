package org.microhttp.tools.fileserver;

import java.util.List;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.commandline.Flags;

/** The flags of {@code FileServer compress}; types are those that it serves with. */
final class CompressFlags {

    static final Flag ROOT = Flag.of("-r", "--root", "DIR", "the folder of the site").required();

    static final Flag CACHE = Flag.of("", "--cache", "DIR",
            "the folder for the variants, and nothing else").required();

    static final Flag JOBS = Flag.of("-j", "--jobs", "N",
            "files that are compressed together, 1 to 1024; default: one for each processor");

    static final Flag HELP = Flag.of("-h", "--help", "", "print this, and end");

    static final Flags ALL = new Flags("FileServer compress",
            List.of(ROOT, CACHE, JOBS, FileFlags.MIME_TYPES, HELP));

    private CompressFlags() {
    }
}
