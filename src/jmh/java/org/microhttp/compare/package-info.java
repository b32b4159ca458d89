/**
 * microhttp beside other servers on one machine, with wrk as the load. {@link org.microhttp.compare.Compare}
 * is the program: start there, then {@code Rounds}, which says in what order everything is measured.
 *
 * <p>{@link org.microhttp.compare.Peer} is who is compared, {@link org.microhttp.compare.Scenario} what is
 * asked of them, {@code Plan} how often and how long. {@code RunningServer} and {@code WrkRun} are the two
 * sides of a run, and a {@link org.microhttp.compare.Round} is what came of it: a line of the result file.
 */
package org.microhttp.compare;
