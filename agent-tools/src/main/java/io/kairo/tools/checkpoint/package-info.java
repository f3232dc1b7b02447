/**
 * The tools that mark checkpoints, show what a session changed, and undo it.
 */
@NullMarked
package io.kairo.tools.checkpoint;

import org.jspecify.annotations.NullMarked;
