/**
 * Checkouts of remote Git repositories as workspaces.
 */
@NullMarked
package io.kairo.workspace.git;

import org.jspecify.annotations.NullMarked;
