/**
 * Processes of a tool. A {@code BatchProgram} does its work and ends. Several processes that serve on one
 * port are a {@code ProcessGroup} of {@code StartedProcess}es, with {@code ProcessCommand} and
 * {@code HeldPort}; {@code ChildProcess} is the other side.
 */
package org.microhttp.tools.processes;
