package org.microhttp;

/**
 * A key of a log event and its value. Every event has an entry {@code event}; events of a connection have an
 * entry {@code id}.
 *
 * @param key   the name of the value, in snake_case
 * @param value the value as text, not escaped: it may come from the network
 */
public record LogEntry(String key, String value) { }
