/**
 * Checkpoints of the files of a workspace, and the undoing of what a session did to them.
 */
@NullMarked
package io.kairo.workspace.checkpoint;

import org.jspecify.annotations.NullMarked;
