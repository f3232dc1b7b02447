/**
 * Workspaces that agents inherit from their ancestors.
 */
@NullMarked
package io.kairo.workspace.task;

import org.jspecify.annotations.NullMarked;
