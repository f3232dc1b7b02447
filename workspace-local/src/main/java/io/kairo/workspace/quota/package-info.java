/**
 * Bounds on what the files of a workspace may take.
 */
@NullMarked
package io.kairo.workspace.quota;

import org.jspecify.annotations.NullMarked;
