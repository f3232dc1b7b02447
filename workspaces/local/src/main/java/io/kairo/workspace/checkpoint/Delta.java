package io.kairo.workspace.checkpoint;

import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * The change of an entry by a step.
 *
 * @param path the entry
 * @param before its state before, null if it did not exist
 * @param after its state afterwards, null if it does not exist
 */
record Delta(WorkspacePath path, @Nullable Node before, @Nullable Node after) {

}
