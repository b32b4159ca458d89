/**
 * What a tool prints.
 * <ul>
 * <li>lines of text or JSON: {@code Report}, {@code SaidOnce}</li>
 * <li>requests and responses: {@code Transcript}, {@code Message}, {@code VisibleBytes}</li>
 * <li>rates and how far work is: {@code Meter}, {@code Progress}</li>
 * <li>who reads it: {@code Terminal}</li>
 * </ul>
 */
package org.microhttp.tools.reporting;
