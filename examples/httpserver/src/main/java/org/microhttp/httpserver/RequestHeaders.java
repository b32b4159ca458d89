package org.microhttp.httpserver;

import com.sun.net.httpserver.Headers;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.microhttp.Header;

/**
 * The read-only fields of a request, as the JDK has them. Java 17 has no such public class. Thread-safe.
 */
final class RequestHeaders extends Headers {

    RequestHeaders(List<Header> fields) {
        for (Header field : fields) {
            super.add(field.name(), field.value());
        }
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException("the fields of a request cannot be changed");
    }

    @Override
    public List<String> get(Object name) {
        List<String> values = super.get(name);
        return values == null ? null : Collections.unmodifiableList(values);
    }

    @Override
    public void add(String name, String value) {
        throw refused();
    }

    @Override
    public void set(String name, String value) {
        throw refused();
    }

    @Override
    public List<String> put(String name, List<String> values) {
        throw refused();
    }

    @Override
    public void putAll(Map<? extends String, ? extends List<String>> fields) {
        throw refused();
    }

    @Override
    public List<String> remove(Object name) {
        throw refused();
    }

    @Override
    public void clear() {
        throw refused();
    }

    @Override
    public Set<String> keySet() {
        return Collections.unmodifiableSet(super.keySet());
    }

    @Override
    public Collection<List<String>> values() {
        return super.values().stream().map(Collections::unmodifiableList).toList();
    }

    @Override
    public Set<Map.Entry<String, List<String>>> entrySet() {
        var copy = new HashMap<String, List<String>>();
        super.entrySet().forEach(entry -> copy.put(entry.getKey(), get(entry.getKey())));
        return Collections.unmodifiableMap(copy).entrySet();
    }
}
