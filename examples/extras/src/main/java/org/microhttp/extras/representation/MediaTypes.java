package org.microhttp.extras.representation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** The media types of files, by the suffixes of their names in upper or lower case. */
public final class MediaTypes {

    private static final String UNKNOWN = "application/octet-stream";

    /** Text that does not name its own encoding. XML does, and JSON is always UTF-8. */
    private static final Pattern WITH_CHARSET =
            Pattern.compile("text/(?!xml$)[^;]*|application/javascript");

    /** Formats without compression of their own; most formats based on text have a suffix such as +xml. */
    private static final Pattern COMPRESSIBLE = Pattern.compile("""
            text/.*|model/.*|.*[+](?:xml|json|yaml|text)
            |application/(?:javascript|ecmascript|json|xml|xml-dtd|yaml|toml|sql|graphql|rtf|postscript)
            |application/(?:wasm|x-ndjson|jsonl|x-javascript|x-sh|x-perl|x-tcl|x-httpd-php|x-tex)
            |application/(?:x-tar|vnd[.]ms-fontobject|x-font-[a-z]*|x-subrip|vnd[.]sqlite3)
            |font/(?:ttf|otf|sfnt|collection)
            |image/(?:bmp|x-ms-bmp|vnd[.]microsoft[.]icon|x-icon|x-portable-[a-z]*)""".replace("\n", ""));

    /** In Apache's format. */
    private static final String BUILT_IN = """
            text/html                      html htm
            text/css                       css
            text/javascript                js mjs
            text/plain                     txt text log conf ini diff patch sha256 sha512 asc
            text/markdown                  md markdown
            text/csv                       csv
            text/tab-separated-values      tsv
            text/calendar                  ics
            text/vcard                     vcf
            text/vtt                       vtt
            text/x-java                    java
            text/x-c                       c h cc cpp hpp
            text/x-python                  py
            text/x-rust                    rs
            text/x-go                      go
            text/x-sh                      sh
            application/json               json map
            application/ld+json            jsonld
            application/geo+json           geojson
            application/manifest+json      webmanifest
            application/x-ndjson           ndjson
            application/yaml               yaml yml
            application/toml               toml
            application/sql                sql
            application/xml                xml xsl xsd
            application/xml-dtd            dtd
            application/xslt+xml           xslt
            application/xhtml+xml          xhtml xht
            application/atom+xml           atom
            application/rss+xml            rss
            application/mathml+xml         mathml
            application/gpx+xml            gpx
            application/vnd.google-earth.kml+xml kml
            application/wasm               wasm
            application/pdf                pdf
            application/rtf                rtf
            application/postscript         ps eps ai
            application/epub+zip           epub
            application/msword             doc
            application/vnd.ms-excel       xls
            application/vnd.ms-powerpoint  ppt
            application/vnd.openxmlformats-officedocument.wordprocessingml.document docx
            application/vnd.openxmlformats-officedocument.spreadsheetml.sheet xlsx
            application/vnd.openxmlformats-officedocument.presentationml.presentation pptx
            application/vnd.oasis.opendocument.text odt
            application/vnd.oasis.opendocument.spreadsheet ods
            application/vnd.oasis.opendocument.presentation odp
            application/vnd.sqlite3        sqlite
            application/vnd.android.package-archive apk
            application/java-archive       jar war
            application/java-vm            class
            application/zip                zip
            application/gzip               gz tgz
            application/zstd               zst
            application/x-brotli           br
            application/x-bzip2            bz2
            application/x-xz               xz
            application/x-7z-compressed    7z
            application/vnd.rar            rar
            application/x-tar              tar
            application/vnd.debian.binary-package deb
            application/x-rpm              rpm
            application/vnd.ms-fontobject  eot
            font/woff                      woff
            font/woff2                     woff2
            font/ttf                       ttf
            font/otf                       otf
            font/collection                ttc
            image/png                      png
            image/apng                     apng
            image/jpeg                     jpg jpeg jfif
            image/gif                      gif
            image/webp                     webp
            image/avif                     avif
            image/jxl                      jxl
            image/heic                     heic
            image/svg+xml                  svg
            image/bmp                      bmp
            image/tiff                     tif tiff
            image/vnd.microsoft.icon       ico cur
            audio/mpeg                     mp3
            audio/mp4                      m4a
            audio/aac                      aac
            audio/ogg                      ogg oga opus
            audio/flac                     flac
            audio/wav                      wav
            audio/webm                     weba
            audio/midi                     mid midi
            video/mp4                      mp4 m4v
            video/webm                     webm
            video/ogg                      ogv
            video/mpeg                     mpg mpeg
            video/quicktime                mov
            video/x-msvideo                avi
            video/x-matroska               mkv
            video/3gpp                     3gp
            video/mp2t                     ts m2ts
            application/dash+xml           mpd
            application/vnd.apple.mpegurl  m3u8
            model/gltf+json                gltf
            model/gltf-binary              glb
            model/stl                      stl
            model/obj                      obj
            application/octet-stream       bin exe dll iso img dmg msi
            """;

    private final Map<String, String> bySuffix = new HashMap<>();

    private MediaTypes() {
        add(MimeTypesFile.read("the built-in table", BUILT_IN));
    }

    /** {@return the built-in types} */
    public static MediaTypes builtIn() {
        return new MediaTypes();
    }

    /**
     * {@return the types of a file in the format of nginx or Apache, and the built-in types for all other
     * suffixes}
     *
     * @param mimeTypesFile the file, which is read once, here
     * @throws IOException              if the file cannot be read
     * @throws IllegalArgumentException with a message for the user, if the file is malformed
     */
    public static MediaTypes of(Path mimeTypesFile) throws IOException {
        // comments may be in any encoding, and all else is ASCII
        String text = Files.readString(mimeTypesFile, StandardCharsets.ISO_8859_1);
        var types = new MediaTypes();
        types.add(MimeTypesFile.read(mimeTypesFile.toString(), text));
        return types;
    }

    private void add(Map<String, String> types) {
        types.forEach((suffix, type) -> bySuffix.put(suffix, complete(type)));
    }

    private static String complete(String type) {
        return WITH_CHARSET.matcher(type).matches() ? type + "; charset=utf-8" : type;
    }

    /**
     * {@return the Content-Type of a file with this name, with a charset if it is text; for {@code a.b.c},
     * the suffix {@code b.c} comes before {@code c}; {@code application/octet-stream} for unknown suffixes}
     *
     * @param fileName without its folders
     */
    public String of(String fileName) {
        String name = fileName.toLowerCase(Locale.ROOT);
        for (int dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
            String type = bySuffix.get(name.substring(dot + 1));
            if (type != null) {
                return type;
            }
        }
        return UNKNOWN;
    }

    /**
     * {@return whether compression mostly makes content of this type much smaller}
     *
     * @param mediaType with parameters or without
     */
    public boolean isCompressible(String mediaType) {
        int semicolon = mediaType.indexOf(';');
        String type = semicolon < 0 ? mediaType : mediaType.substring(0, semicolon).strip();
        return COMPRESSIBLE.matcher(type.toLowerCase(Locale.ROOT)).matches();
    }
}
