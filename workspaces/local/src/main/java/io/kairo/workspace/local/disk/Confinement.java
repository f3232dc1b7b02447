package io.kairo.workspace.local.disk;

import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.path.RootSet;

/**
 * The limits of a descent.
 *
 * @param roots the roots that it may reach
 * @param hidden the directory that is hidden from it
 * @param opener opens the directories that it starts in
 * @param matching matches names to entries
 */
record Confinement(RootSet roots, HiddenDirectory hidden, DirectoryOpener opener, NameMatching matching) {
}
