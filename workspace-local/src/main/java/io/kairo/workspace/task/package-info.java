/**
 * Workspaces that the agents of a tree inherit from their ancestors.
 */
@NullMarked
package io.kairo.workspace.task;

import org.jspecify.annotations.NullMarked;
