/**
 * Workspaces that are made for one acquire and go with its release.
 */
@NullMarked
package io.kairo.workspace.ephemeral;

import org.jspecify.annotations.NullMarked;
