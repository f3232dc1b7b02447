/**
 * The tools that move, copy, delete and restore files and directories.
 */
@NullMarked
package io.kairo.tools.entry;

import org.jspecify.annotations.NullMarked;
