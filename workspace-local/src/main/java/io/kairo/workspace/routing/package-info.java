/**
 * A provider of workspaces that selects one of several providers by the scheme of a hint.
 */
@NullMarked
package io.kairo.workspace.routing;

import org.jspecify.annotations.NullMarked;
