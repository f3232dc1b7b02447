/**
 * The disk store: reads and changes the files of workspaces in directories of this
 * machine, with locks and a journal, and never leaves their roots.
 */
@NullMarked
package io.kairo.workspace.local.disk;

import org.jspecify.annotations.NullMarked;
