package org.microhttp.tools.sitearchive.making;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.extras.representation.Coding;
import org.microhttp.tools.sitearchive.format.Metadata;

/** The metadata of answers: what follows from the file, and what the settings and rules add. */
final class AnswerFields {

    static final String CACHE_CONTROL = "public, immutable, max-age=3600";

    private final ArchiveSettings settings;

    AnswerFields(ArchiveSettings settings) {
        this.settings = settings;
    }

    /**
     * Those of a file.
     *
     * @param varies  whether Accept-Encoding decides what is sent
     * @param content the id of what is sent
     */
    Metadata of(SourceFile file, int status, Coding coding, boolean varies, String content) {
        List<Header> fields = new ArrayList<>();
        fields.add(new Header("Content-Type", settings.types().of(file.simpleName())));
        if (coding != Coding.IDENTITY) {
            fields.add(new Header("Content-Encoding", coding.token()));
        }
        if (varies) {
            fields.add(new Header("Vary", "Accept-Encoding"));
        }
        // what is missing now may be there soon, and then no cache should know better (RFC 9111 §4.2.2)
        boolean lasting = status == Metadata.OK;
        if (lasting && settings.etag()) {
            fields.add(new Header("ETag", "\"" + content + "\""));
        }
        List<Header> added = settings.rules().of(file.path(), file.name());
        boolean ruled = Metadata.value(added, "Cache-Control") != null;
        if (lasting && settings.cache() && !ruled) {
            fields.add(new Header("Cache-Control", CACHE_CONTROL));
        }
        fields.addAll(added);
        return new Metadata(status, fields);
    }

    /** Those of a redirect, or of what is gone. */
    Metadata of(Redirect redirect) {
        List<Header> fields = new ArrayList<>();
        if (redirect.to() != null) {
            fields.add(new Header("Location", redirect.to()));
        }
        fields.addAll(settings.rules().of(redirect.path(), redirect.name()));
        return new Metadata(redirect.status(), fields);
    }
}
