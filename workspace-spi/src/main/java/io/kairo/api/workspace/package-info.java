/**
 * Contracts for workspaces, the files of agents, and for reading and changing those
 * files.
 */
@NullMarked
package io.kairo.api.workspace;

import org.jspecify.annotations.NullMarked;
