package org.microhttp.extras.routing;

import java.util.Map;
import java.util.Set;

/**
 * What stands for the variables of a {@link PathTemplate} in the path of a request, by name. The router hands
 * it on as an attribute of the request.
 *
 * @param values  decoded
 * @param numbers the names of those that are numbers
 */
record PathVariables(Map<String, String> values, Set<String> numbers) { }
