/**
 * The tools for workspaces under version control.
 */
@NullMarked
package io.kairo.tools.history;

import org.jspecify.annotations.NullMarked;
