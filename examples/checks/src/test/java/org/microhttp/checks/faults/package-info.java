/**
 * What goes wrong around a server for long, or with thousands of clients. {@code ChaosTest} runs all of it at
 * once. The programs {@code Full...} hold promises of thousands of clients: {@code examples/checks/full} runs
 * them, and the program in {@code chaos}.
 */
package org.microhttp.checks.faults;
