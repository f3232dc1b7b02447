/**
 * The trash of each workspace, from which deleted files and directories can be restored.
 */
@NullMarked
package io.kairo.tools.trash;

import org.jspecify.annotations.NullMarked;
