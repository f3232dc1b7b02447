/**
 * One provider of workspaces over many: the scheme of a hint says which.
 */
@NullMarked
package io.kairo.workspace.routing;

import org.jspecify.annotations.NullMarked;
