package org.microhttp;

import java.util.AbstractList;
import java.util.List;
import org.microhttp.protocol.RequestHead;

/** The headers of a request that may have ended, parsed when first used. */
final class HeaderList extends AbstractList<Header> {

    private final byte[] lines;
    private List<Header> headers;

    private HeaderList(byte[] lines) { this.lines = lines; }

    /** Returns the headers of a request; none if they are not known. */
    static List<Header> of(RequestHead head) {
        return head.fields() == null ? List.of() : new HeaderList(head.fields());
    }

    /** Any thread may call it: two that come at the same time make equal lists. */
    private List<Header> made() {
        List<Header> known = headers;
        if (known == null) {
            known = Request.parse(lines);
            headers = known;
        }
        return known;
    }

    @Override
    public Header get(int index) { return made().get(index); }

    @Override
    public int size() { return made().size(); }
}
