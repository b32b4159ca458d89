package org.microhttp.tools.sitearchive.serving;

import java.util.ArrayList;
import java.util.List;
import org.microhttp.Header;
import org.microhttp.tools.sitearchive.format.Metadata;

/** Fields of every answer, but where it has one of that name: what the archive says of a page goes first. */
record AddedFields(List<Header> fields) {

    /** {@return these fields, and those that they are without} */
    List<Header> to(List<Header> own) {
        List<Header> all = new ArrayList<>(own);
        for (Header field : fields) {
            if (Metadata.value(own, field.name()) == null) {
                all.add(field);
            }
        }
        return all;
    }

    /** Says whether every answer has a field of that name, of these or its own. */
    boolean has(String name) {
        return Metadata.value(fields, name) != null;
    }
}
