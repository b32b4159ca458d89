/**
 * What the tools among the examples share. A tool that serves is a list of {@link shared.Flag}s and a
 * function that makes a handler of the {@link shared.CommandLine}. {@link shared.ServerTool} does the rest:
 * it takes the flags of {@code ServerFlags}, too, starts the loops, prints, meters, and ends in order. A tool
 * that serves nothing takes the command line alone.
 * <ul>
 * <li>the command line: {@code Flag}, {@code Flags}, {@code CommandLine}, {@code InputFile}</li>
 * <li>the server: {@code ServerTool}, {@code ServerFlags}, {@code ServerSettings}, {@code DaemonTimer},
 *     {@code Reason}</li>
 * <li>what is printed: {@code Report}, {@code Meter}, {@code Transcript}, {@code Message}, {@code Terminal},
 *     {@code Octets}, {@code Json}</li>
 * </ul>
 * Nothing here knows any one tool.
 */
package shared;
