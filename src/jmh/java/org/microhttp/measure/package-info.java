/**
 * What it takes to measure anything: {@link org.microhttp.measure.Children} starts other programs; a {@link
 * org.microhttp.measure.ResultFile} keeps figures in lines, each a {@link org.microhttp.measure.Row}; a {@link
 * org.microhttp.measure.Range} has the median of rounds. {@link org.microhttp.measure.Arguments} are the
 * options of a program. Knows nothing of what is measured.
 */
package org.microhttp.measure;
