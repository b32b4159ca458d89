/**
 * The command line of a tool: {@code Flag}, {@code Flags}, and {@code CommandLine}, which has the flags that
 * were given. A tool that serves nothing needs no more than this.
 */
package org.microhttp.tools.commandline;
