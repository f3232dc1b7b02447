/**
 * Workspaces in directories of this machine: their provider, its options, and the
 * directories of tenants.
 */
@NullMarked
package io.kairo.workspace.local;

import org.jspecify.annotations.NullMarked;
