/**
 * The check of Git repositories after commands: of what commands have configured, only
 * what makes Git run nothing stays.
 */
@NullMarked
package io.kairo.workspace.local.repository;

import org.jspecify.annotations.NullMarked;
