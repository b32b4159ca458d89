package sitearchive.serving;

import cdb.CdbValue;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.microhttp.Body;
import org.microhttp.Header;
import org.microhttp.Response;
import representation.Outcome;
import representation.Variant;
import shared.Reason;
import sitearchive.format.Metadata;
import sitearchive.format.PathRecord;

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
    private final CdbValue place;

    /** Null while it was not asked for, or if it is not kept. */
    private volatile SiteAnswer whole;
    private volatile SiteAnswer notModified;

    PageVariant(ArchiveRecords archive, PathRecord.Entry entry) throws IOException {
        this.archive = archive;
        metadata = archive.metadata(entry.metadata());
        place = archive.content(entry.content());
        variant = new Variant(entry.coding(), place.length(), metadata.value("ETag"));
    }

    int status() {
        return metadata.status();
    }

    SiteAnswer whole() throws IOException {
        SiteAnswer known = whole;
        if (known != null) {
            if (known.held()) {
                archive.requireWhole();
            }
            return known;
        }
        List<Header> fields = new ArrayList<>(metadata.fields());
        if (status() == Metadata.OK) {
            fields.add(ACCEPT_RANGES);
        }
        SiteAnswer made = answer(status(), fields, 0, place.length());
        if (archive.keep(OVERHEAD + (made.held() ? 0 : place.length()))) {
            whole = made;
        }
        return made;
    }

    SiteAnswer part(Outcome outcome) throws IOException {
        long first = outcome.first();
        long last = first + outcome.length() - 1;
        List<Header> fields = new ArrayList<>(metadata.fields());
        // Content-Range = range-unit SP first-pos "-" last-pos "/" complete-length (RFC 9110 §14.4)
        fields.add(new Header("Content-Range", "bytes " + first + "-" + last + "/" + place.length()));
        return answer(outcome.status(), fields, first, outcome.length());
    }

    SiteAnswer notModified() {
        SiteAnswer known = notModified;
        if (known != null) {
            return known;
        }
        List<Header> fields = metadata.fields().stream()
                .filter(field -> OF_NOT_MODIFIED.contains(field.name().toLowerCase(Locale.ROOT)))
                .toList();
        int status = Outcome.Kind.NOT_MODIFIED.status();
        var made = SiteAnswer.of(
                new Response(status, Reason.of(status), archive.added().to(fields), new byte[0]));
        if (archive.keep(OVERHEAD)) {
            notModified = made;
        }
        return made;
    }

    private SiteAnswer answer(int status, List<Header> fields, long first, long length) throws IOException {
        List<Header> all = archive.added().to(fields);
        if (length > COPIED || !archive.copies()) {
            Body body = archive.body(place.position() + first, length);
            return new SiteAnswer(new Response(status, Reason.of(status), all, body), length, true);
        }
        byte[] copy = archive.copy(place.position() + first, (int) length);
        Body body = Body.of(ByteBuffer.wrap(copy));
        return new SiteAnswer(new Response(status, Reason.of(status), all, body), length, false);
    }
}
