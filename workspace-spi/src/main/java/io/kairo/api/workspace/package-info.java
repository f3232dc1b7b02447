/**
 * Contracts for workspaces: where an agent's files live and how they are read and
 * changed.
 */
@NullMarked
package io.kairo.api.workspace;

import org.jspecify.annotations.NullMarked;
