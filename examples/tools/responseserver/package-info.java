/**
 * The tool {@code ResponseServer}: {@link responseserver.ResponseServer} is the program, {@code
 * ResponseFlags} has its own flags, {@code Settings} what they ask for, {@code Routes} which response a
 * request gets, {@code Pace} and {@code PacedBody} how a body is sent that is to arrive slowly, or not to
 * its end. The rest is in {@link servertool}.
 */
package responseserver;
