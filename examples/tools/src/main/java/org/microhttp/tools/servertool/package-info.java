/**
 * A server as a tool. Such a tool is a list of flags and a function that makes a handler of the command line;
 * {@link org.microhttp.tools.servertool.ServerTool} does the rest: it takes the flags of {@code ServerFlags},
 * too, starts the
 * loops, prints, meters, and ends in order. {@code ServerSettings} are its flags once they are checked,
 * {@code TlsFlags} and {@code RunningServer} give it TLS, {@code Leaving} says how it ends,
 * {@code ProgramClasses} loads classes before they are needed, and {@code DaemonTimer} makes timers.
 */
package org.microhttp.tools.servertool;
