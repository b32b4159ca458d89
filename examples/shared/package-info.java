/**
 * What the tools among the examples share. A tool that serves is a list of {@link shared.Flag}s and a
 * function that makes a handler of the {@link shared.CommandLine}. {@link shared.ServerTool} does the rest:
 * it takes the flags of {@code ServerFlags}, too, starts the loops, prints, meters, and ends in order. A tool
 * that serves nothing takes the command line alone.
 * <ul>
 * <li>the command line: {@code Flag}, {@code Flags}, {@code CommandLine}, {@code InputFile}</li>
 * <li>a program that does its work and ends: {@code BatchProgram}, with {@code Progress}</li>
 * <li>the server: {@code ServerTool}, {@code ServerFlags}, {@code ServerSettings}, {@code Leaving},
 *     {@code ProgramClasses}, {@code DaemonTimer}, {@code Reason}</li>
 * <li>several processes on a port: {@code ProcessGroup}, {@code ProcessCommand}, {@code HeldPort},
 *     {@code StartedProcess}, and {@code ChildProcess} on the other side</li>
 * <li>what is printed: {@code Report}, {@code Meter}, {@code Transcript}, {@code Message}, {@code Terminal},
 *     {@code Octets}, {@code Json}, {@code SaidOnce}</li>
 * <li>files: {@code FileVersion} tells whether one is still the same, {@code FileName} what it is called;
 *     {@code LockedFolder} has what is not finished</li>
 * </ul>
 * Nothing here knows any one tool. A file that is open for several is a {@code CountedFile}.
 */
package shared;
