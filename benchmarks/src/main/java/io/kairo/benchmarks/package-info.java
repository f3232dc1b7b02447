/**
 * What a call costs, as a ratio to what it is compared to, measured side by side in one
 * run.
 */
@NullMarked
package io.kairo.benchmarks;

import org.jspecify.annotations.NullMarked;
