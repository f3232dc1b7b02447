package io.kairo.governance.policy;

/**
 * A path that a call works on. Immutable.
 *
 * @param path the canonical path below its root, empty for the root
 * @param identity the same path in the spelling by which its store compares paths
 * @param tree whether the call may also reach what is below the path
 */
record PathTarget(String path, String identity, boolean tree) {

}
