package org.microhttp.extras.routing;

import java.util.Map;
import java.util.Set;

/**
 * The values of the variables of a {@link PathTemplate} in the path of a request. The router passes them on
 * as an attribute of the request.
 *
 * @param values  by name, decoded
 * @param numbers the names of the variables that match only numbers
 */
record PathVariables(Map<String, String> values, Set<String> numbers) { }
