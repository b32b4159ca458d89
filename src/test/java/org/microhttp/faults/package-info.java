/**
 * What goes wrong around a server: handlers that fail, more requests than it may take, no descriptors, no
 * heap, and clients that mean harm. Where a limit belongs to a process, {@code ServerProcess} starts one
 * with that limit. Start with {@code HandlerFailureTest} and {@code DescriptorTest}; {@code ChaosTest} runs
 * all of it at once. The programs {@code Full...} hold promises of thousands of clients:
 * {@code src/test/full} runs them, and the program in {@code chaos}.
 */
package org.microhttp.faults;
