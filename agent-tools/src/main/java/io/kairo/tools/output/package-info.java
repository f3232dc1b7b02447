/**
 * Storage for command output that is too long for a result, kept until its session ends.
 */
@NullMarked
package io.kairo.tools.output;

import org.jspecify.annotations.NullMarked;
