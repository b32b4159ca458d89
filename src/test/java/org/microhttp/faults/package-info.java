/**
 * What goes wrong around a server: handlers that fail, more requests than it may take, no descriptors, no
 * heap, and clients that mean harm. Where a limit belongs to a process, {@code ServerProcess} starts one
 * with that limit. Start with {@code HandlerFailureTest}. The module
 * {@code checks} of {@code examples} has what runs for long, or needs thousands of clients.
 */
package org.microhttp.faults;
