/**
 * Programs to run: {@link org.microhttp.tools.Tools} is all of them as one. Each has a package of its own,
 * and {@link org.microhttp.tools.servertool} has what servers share.
 */
package org.microhttp.tools;
