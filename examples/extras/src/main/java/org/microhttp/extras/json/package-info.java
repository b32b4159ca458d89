/**
 * JSON (RFC 8259): {@code Json} writes it, {@code JsonReader} reads it. Both know maps, lists, strings,
 * numbers, booleans and null, and need the JDK alone.
 * <p>
 * For objects of your own classes, or for texts that do not fit into memory, use a library: Jackson or Gson.
 * Both take the array of {@code Request.body()}, and give one for a response.
 */
package org.microhttp.extras.json;
