/**
 * Auto-configuration of workspaces and their files.
 */
@NullMarked
package io.kairo.autoconfigure.workspace;

import org.jspecify.annotations.NullMarked;
