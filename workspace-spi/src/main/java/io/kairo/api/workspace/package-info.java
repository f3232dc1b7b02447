/**
 * Contracts for workspaces, which hold the files of an agent, and for reading and
 * changing those files.
 */
@NullMarked
package io.kairo.api.workspace;

import org.jspecify.annotations.NullMarked;
