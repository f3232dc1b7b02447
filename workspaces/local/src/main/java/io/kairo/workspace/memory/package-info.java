/**
 * Workspaces in memory: the reference store of the logical contract, and its provider.
 */
@NullMarked
package io.kairo.workspace.memory;

import org.jspecify.annotations.NullMarked;
