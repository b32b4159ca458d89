package org.microhttp.extras.representation;

/**
 * One representation of a resource: its content in one coding.
 *
 * @param coding    how the content is encoded
 * @param length    in bytes
 * @param entityTag a strong one, with its quotes, that no other variant of the resource has (RFC 9110
 *                  §8.8.3.3); null for none
 */
public record Variant(Coding coding, long length, String entityTag) {
}
