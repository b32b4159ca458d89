package org.microhttp.tools.sitearchive.making;

import java.util.List;
import org.microhttp.tools.commandline.Flag;
import org.microhttp.tools.commandline.Flags;

/** The flags of {@code SiteArchive archive}. */
final class ArchiveFlags {

    static final Flag SOURCES = Flag.of("", "--sources", "DIR", "the folder of the site").required();

    static final Flag ARCHIVE = Flag.of("", "--archive", "FILE",
            "the archive, which takes the place of one that is there").required();

    static final Flag HOSTS = Flag.of("", "--hosts", "",
            "a site in each folder of the sources: example.org that of this host, _default of all others");

    static final Flag FOLLOW_OUTSIDE = Flag.of("", "--follow-outside", "",
            "follow links that lead out of the sources, and print where; without it they are left out."
                    + " In folders outside, links to folders are left out");

    static final Flag COMPRESS = Flag.of("", "--compress", "CODINGS",
            "identity, gzip, brotli, zstd, or several, as identity,gzip,brotli; default: identity. brotli and"
                    + " zstd need these programs. Without identity, a file of which all codings are kept is"
                    + " stored only compressed: a client that accepts none gets 406, and one without"
                    + " Accept-Encoding compressed content");

    static final Flag HEADERS = Flag.of("", "--headers", "FILE",
            "fields of answers, in lines of pattern, name and value, as '*.html Cache-Control no-cache'");

    static final Flag MIME_TYPES = Flag.of("", "--mime-types", "FILE",
            "media types by suffix, as nginx's or Apache's mime.types");

    static final Flag EXCLUDE_INDEX = Flag.of("", "--exclude-index", "",
            "no index.html, .htm, .xhtml, .xht, .txt, .json, .xml, in this order, answers for its folder");

    static final Flag EXCLUDE_STRIP = Flag.of("", "--exclude-strip", "",
            "no /a.html, .htm, .xhtml, .xht, .txt, in this order, answers for /a");

    static final Flag EXCLUDE_CACHE = Flag.of("", "--exclude-cache", "",
            "no Cache-Control; default: " + AnswerFields.CACHE_CONTROL);

    static final Flag INCLUDE_ETAG = Flag.of("", "--include-etag", "",
            "an ETag, the SHA-256 of what is sent; so it is by default");

    static final Flag EXCLUDE_ETAG = Flag.of("", "--exclude-etag", "",
            "no ETag: no 304, but equal fields stored once; an ETag makes those of each content others,"
                    + " some 300 bytes");

    static final Flag EXCLUDE_FILE_LISTING = Flag.of("", "--exclude-file-listing", "",
            "no list of the files in the archive");

    static final Flag INCLUDE_FOLDER_LISTING = Flag.of("", "--include-folder-listing", "",
            "a list of the folders in the archive, too");

    static final Flag JOBS = Flag.of("-j", "--jobs", "N",
            "files that are read or compressed together, 1 to 1024; default: one for each processor");

    static final Flag PROGRESS = Flag.of("", "--progress", "", "show how far it is");

    static final Flag DEBUG = Flag.of("", "--debug", "",
            "print each file with its size, and those of its codings, and what its name leaves out");

    static final Flag HELP = Flag.of("-h", "--help", "", "print this, and end");

    static final Flags ALL = new Flags("SiteArchive archive",
            List.of(SOURCES, ARCHIVE, HOSTS, FOLLOW_OUTSIDE, COMPRESS, HEADERS, MIME_TYPES, EXCLUDE_INDEX,
                    EXCLUDE_STRIP, EXCLUDE_CACHE, INCLUDE_ETAG, EXCLUDE_ETAG, EXCLUDE_FILE_LISTING,
                    INCLUDE_FOLDER_LISTING, JOBS, PROGRESS, DEBUG, HELP));

    private ArchiveFlags() {
    }
}
