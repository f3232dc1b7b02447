/**
 * Fakes of sandboxes and workspaces, recorded calls of tools, and assertions on them.
 */
@NullMarked
package io.kairo.test;

import org.jspecify.annotations.NullMarked;
