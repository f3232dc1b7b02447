/**
 * Whole directory trees on disk: created, copied, read and removed while other processes
 * change them.
 */
@NullMarked
package io.kairo.workspace.local.disk.tree;

import org.jspecify.annotations.NullMarked;
