/**
 * Whether a server is ready, and what it has counted: {@link org.microhttp.extras.metrics.HealthHandler}
 * tells
 * balancers whether to send more, and {@link org.microhttp.extras.metrics.StatsHandler} tells Prometheus what
 * was counted, as {@code PrometheusText} writes it. Needs the library alone.
 */
package org.microhttp.extras.metrics;
