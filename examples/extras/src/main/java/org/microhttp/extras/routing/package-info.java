/**
 * Which handler gets a request: {@code Router}, by method and path; {@code PathTemplate} is one of its paths.
 * {@code Prefixed} has a handler serve below a prefix. {@code Parameters} reads a query or a form.
 * <p>
 * It needs the library, and {@code UrlDecoding} of the package {@code representation}.
 */
package org.microhttp.extras.routing;
