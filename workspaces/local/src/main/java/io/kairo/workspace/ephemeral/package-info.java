/**
 * Workspaces that are created on acquire and deleted on release.
 */
@NullMarked
package io.kairo.workspace.ephemeral;

import org.jspecify.annotations.NullMarked;
