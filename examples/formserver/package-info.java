/**
 * The program {@code FormServer}, and two classes to copy, which need the JDK alone:
 * {@link formserver.UrlDecoding} decodes a path, {@link formserver.Parameters}, which needs the other, a
 * query or a form. {@link formserver.FormServer} shows how a handler uses both.
 */
package formserver;
