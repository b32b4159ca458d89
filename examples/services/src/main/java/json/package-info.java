/**
 * JSON (RFC 8259) for these programs: {@code JsonReader} reads maps, lists, strings, numbers, booleans and
 * null; the tools' {@code Json} writes them.
 * <p>
 * In a service of your own use a library: Jackson or Gson. Both take the array of {@code Request.body()}, and
 * give one for a response.
 */
package json;
