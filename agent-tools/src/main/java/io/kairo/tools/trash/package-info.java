/**
 * The trash of each workspace, for restoring deleted files and directories.
 */
@NullMarked
package io.kairo.tools.trash;

import org.jspecify.annotations.NullMarked;
