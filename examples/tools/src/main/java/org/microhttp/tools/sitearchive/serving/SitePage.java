package org.microhttp.tools.sitearchive.serving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.microhttp.Request;
import org.microhttp.extras.representation.Coding;
import org.microhttp.extras.representation.Outcome;
import org.microhttp.extras.representation.PlainAnswers;
import org.microhttp.extras.representation.Resource;
import org.microhttp.extras.representation.Variant;
import org.microhttp.tools.sitearchive.format.Metadata;
import org.microhttp.tools.sitearchive.format.PathRecord;

/** What a path, or what is below a folder, is answered with, in each coding that it has. For any thread. */
final class SitePage {

    private final AddedFields added;
    private final int status;
    private final Resource resource;
    private final PageVariant[] variants = new PageVariant[Coding.values().length];

    SitePage(ArchiveRecords archive, PathRecord record) throws IOException {
        added = archive.added();
        List<Variant> all = new ArrayList<>();
        int first = 0;
        for (PathRecord.Entry entry : record.variants()) {
            var variant = new PageVariant(archive, entry);
            variants[entry.coding().ordinal()] = variant;
            all.add(variant.variant);
            first = variant.status();
        }
        status = first;
        // what else a resource may have is among the fields that are stored
        resource = new Resource(null, null, null, all);
    }

    /** {@return what a GET or HEAD gets; conditions and ranges are for a 200 alone (RFC 9110 §13.2.1)} */
    SiteAnswer answer(Request request) throws IOException {
        if (status != Metadata.OK) {
            return of(Outcome.unconditional(request, resource)).whole();
        }
        Outcome outcome = Outcome.of(request, resource);
        return switch (outcome.kind()) {
            case WHOLE -> of(outcome.variant()).whole();
            case PART -> of(outcome.variant()).part(outcome);
            case NOT_MODIFIED -> of(outcome.variant()).notModified();
            case PRECONDITION_FAILED, NOT_ACCEPTABLE, RANGE_NOT_SATISFIABLE ->
                SiteAnswer.of(PlainAnswers.of(outcome, resource, added.fields()));
        };
    }

    private PageVariant of(Variant variant) {
        return variants[variant.coding().ordinal()];
    }
}
