/**
 * A server behind a balancer: {@link edge.EdgeServer} is the program, and {@code README.md} beside it tells
 * of the configurations of HAProxy and nginx in this folder, which the script {@code demo} tries.
 * <ul>
 * <li>{@code EdgeFlags} has its own flags, and sets the options that they ask for</li>
 * <li>{@code EdgeHandler} answers, {@link org.microhttp.extras.metrics.ServerMonitor} to balancers and
 *     Prometheus</li>
 * </ul>
 * The program takes what every server has from {@link org.microhttp.tools.servertool}, and plain answers
 * from {@link
 * org.microhttp.extras.representation}.
 */
package edge;
