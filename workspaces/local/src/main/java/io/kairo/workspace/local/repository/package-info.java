/**
 * The check of Git repositories after commands. Of the settings added by commands it
 * keeps only settings that make Git run nothing.
 */
@NullMarked
package io.kairo.workspace.local.repository;

import org.jspecify.annotations.NullMarked;
