package io.kairo.governance.policy;

import io.kairo.api.workspace.WorkspacePath;

/**
 * A path that a call works on. Immutable.
 *
 * @param path the canonical path below its root, empty for the root
 * @param identity the same path as its store spells it to compare paths
 * @param entry the path in its root
 * @param tree whether the call may also reach files below the path
 */
record PathTarget(String path, String identity, WorkspacePath entry, boolean tree) {

}
