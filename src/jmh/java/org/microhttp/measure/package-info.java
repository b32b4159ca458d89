/**
 * What it takes to measure anything: {@link org.microhttp.measure.Children} starts other programs, {@link
 * org.microhttp.measure.PinnedServer} is a server among them, {@link org.microhttp.measure.CpuTime} reads
 * what they cost, and {@link org.microhttp.measure.CpuMeter} what a run cost; a {@link
 * org.microhttp.measure.ResultFile} keeps it in lines, each a {@link org.microhttp.measure.Row}; a {@link
 * org.microhttp.measure.Range} has the median of rounds. {@link org.microhttp.measure.Arguments} are the
 * options of a program. Knows nothing of what is measured.
 */
package org.microhttp.measure;
