/**
 * microhttp beside other servers, and beside the floor, which is what the JVM and the kernel cost without
 * HTTP. {@link org.microhttp.servers.ServerComparison} is the description, and a {@link
 * org.microhttp.servers.Scenario} what the servers are asked.
 */
package org.microhttp.servers;
