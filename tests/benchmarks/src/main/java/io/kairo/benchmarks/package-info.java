/**
 * The cost of calls beside that of plain programs, and of what is held open, measured by
 * one command.
 */
@NullMarked
package io.kairo.benchmarks;

import org.jspecify.annotations.NullMarked;
