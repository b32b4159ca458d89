/**
 * Measures streamed responses. {@link org.microhttp.streams.Streams} is the program and the load. It starts
 * {@link org.microhttp.streams.StreamServer}, which is microhttp, and {@link
 * org.microhttp.streams.BareServer}, which writes the same bytes without HTTP. {@link
 * org.microhttp.streams.Listeners} are clients of either.
 */
package org.microhttp.streams;
