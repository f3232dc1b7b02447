/**
 * Keeps the output of commands that is too long for a result, until its session ends.
 */
@NullMarked
package io.kairo.tools.output;

import org.jspecify.annotations.NullMarked;
