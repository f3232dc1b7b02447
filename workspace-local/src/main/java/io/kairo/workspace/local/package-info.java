/**
 * Workspaces in directories of this machine: the path gate, the store that reads and
 * writes them without ever leaving them, and the provider of local directories.
 */
@NullMarked
package io.kairo.workspace.local;

import org.jspecify.annotations.NullMarked;
