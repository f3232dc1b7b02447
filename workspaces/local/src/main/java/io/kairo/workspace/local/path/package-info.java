/**
 * The path gate: converts between the text of a path and a path of a workspace, without
 * touching a file.
 */
@NullMarked
package io.kairo.workspace.local.path;

import org.jspecify.annotations.NullMarked;
