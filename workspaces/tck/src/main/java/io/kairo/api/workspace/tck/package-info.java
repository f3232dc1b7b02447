/**
 * The contracts of workspaces as tests, to be extended by the tests of a store or a
 * provider.
 */
@NullMarked
package io.kairo.api.workspace.tck;

import org.jspecify.annotations.NullMarked;
