/**
 * The tool {@code ResponseServer}: {@link org.microhttp.tools.responseserver.ResponseServer} is the program,
 * {@code
 * ResponseFlags} has its own flags, {@code Settings} what they ask for, {@code Routes} which response a
 * request gets, {@code Pace} and {@code PacedBody} how a body is sent that is to arrive slowly, or not to
 * its end. The rest is in {@link org.microhttp.tools.servertool}.
 */
package org.microhttp.tools.responseserver;
