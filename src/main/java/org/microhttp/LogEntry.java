package org.microhttp;

/**
 * One key and value of a log event. Every event has an entry {@code event}, and those of a connection one
 * {@code id}.
 *
 * @param key   what the value is, in snake_case
 * @param value the value as text, as it came from the network: not escaped
 */
public record LogEntry(String key, String value) { }
