package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.Reason;
import org.microhttp.extras.representation.Variant;
import org.microhttp.tools.cdb.CdbValue;
import org.microhttp.tools.sitearchive.format.ArchiveFormat;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/**
 * A page in one coding: its fields, the place of its content, and the answers that are made of them, which
 * are kept where there is room. For any thread.
 */
final class PageVariant {

    /** More than that is sent from where it is, without a copy. */
    static final int COPIED = 16 << 10;

    /** What is kept with a copy: heads, fields, objects. */
    static final int OVERHEAD = 1_000;

    /** What a 304 has of the fields of a 200 (RFC 9110 §15.4.5), in lower case. */
    private static final Set<String> OF_NOT_MODIFIED =
            Set.of("cache-control", "content-location", "etag", "expires", "vary");

    private static final Header ACCEPT_RANGES = new Header("Accept-Ranges", "bytes");

    final Variant variant;
    private final ArchiveRecords archive;
    private final Metadata metadata;
    private final String id;
    private final CdbValue place;

    /** Null while it was not asked for, or if it is not kept. */
    private volatile SiteAnswer whole;
    private volatile SiteAnswer notModified;

    /** Whether all of it was asked for. A thread that does not see that makes its copy later. */
    private boolean asked;

    PageVariant(ArchiveRecords archive, PathRecord.Entry entry) throws IOException {
        this.archive = archive;
        metadata = archive.metadata(entry.metadata());
        id = entry.content();
        place = archive.content(id);
        variant = new Variant(entry.coding(), place.length(), metadata.value("ETag"));
    }

    int status() {
        return metadata.status();
    }

    /** Those that are stored. Where a client may get a 406 instead, whatever is stored, they say why. */
    private List<Header> fields() {
        List<Header> fields = new ArrayList<>(metadata.fields());
        String vary = metadata.value("Vary");
        boolean said = vary != null && vary.toLowerCase(Locale.ROOT).contains("accept-encoding");
        if (status() == Metadata.OK && !said) {
            fields.add(Outcome.VARY);
        }
        return fields;
    }

    SiteAnswer whole() throws IOException {
        SiteAnswer known = whole;
        if (known != null) {
            if (known.held()) {
                archive.requireWhole();
            }
            return known;
        }
        List<Header> fields = fields();
        if (status() == Metadata.OK) {
            fields.add(ACCEPT_RANGES);
        }
        boolean small = place.length() <= COPIED;
        // what is asked for once is sent from where it is, and a copy for the next is made by the second
        boolean copied = small && asked && archive.hasRoom();
        asked = true;
        SiteAnswer made = copied ? copied(fields) : held(status(), fields, 0, place.length());
        boolean lasts = copied || !small;
        if (lasts && archive.keep(OVERHEAD + (copied ? place.length() : 0))) {
            whole = made;
        }
        return made;
    }

    SiteAnswer part(Outcome outcome) throws IOException {
        long first = outcome.first();
        long last = first + outcome.length() - 1;
        List<Header> fields = fields();
        // Content-Range = range-unit SP first-pos "-" last-pos "/" complete-length (RFC 9110 §14.4)
        fields.add(new Header("Content-Range", "bytes " + first + "-" + last + "/" + place.length()));
        return held(outcome.status(), fields, first, outcome.length());
    }

    SiteAnswer notModified() {
        SiteAnswer known = notModified;
        if (known != null) {
            return known;
        }
        // a cache takes over what a 304 has: the fields of every answer are those of the 200
        AddedFields added = archive.added();
        List<Header> fields = added.to(fields()).stream()
                .filter(field -> OF_NOT_MODIFIED.contains(field.name().toLowerCase(Locale.ROOT))
                        || added.has(field.name()))
                .toList();
        int status = Outcome.Kind.NOT_MODIFIED.status();
        var made = SiteAnswer.of(new Response(status, Reason.of(status), fields, new byte[0]));
        if (archive.keep(OVERHEAD)) {
            notModified = made;
        }
        return made;
    }

    private SiteAnswer held(int status, List<Header> fields, long first, long length) throws IOException {
        Body body = archive.body(id, place, first, length);
        return new SiteAnswer(response(status, fields, body), length, true);
    }

    private SiteAnswer copied(List<Header> fields) throws IOException {
        byte[] copy = archive.copy(place.position(), (int) place.length());
        if (!ArchiveFormat.idOf(copy).equals(id)) {
            // one look for all the answers that are made of it
            throw new IOException("the content " + id + " is damaged");
        }
        return new SiteAnswer(response(status(), fields, Body.of(ByteBuffer.wrap(copy))), copy.length, false);
    }

    private Response response(int status, List<Header> fields, Body body) {
        return new Response(status, Reason.of(status), archive.added().to(fields), body);
    }
}
