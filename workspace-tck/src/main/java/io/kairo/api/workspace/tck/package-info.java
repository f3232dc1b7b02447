/**
 * The contracts of workspaces as tests: whoever writes a store or a provider extends one
 * of these classes.
 */
@NullMarked
package io.kairo.api.workspace.tck;

import org.jspecify.annotations.NullMarked;
