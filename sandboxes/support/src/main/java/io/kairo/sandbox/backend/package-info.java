/**
 * The parts of a sandbox that its backend does not write itself.
 */
@NullMarked
package io.kairo.sandbox.backend;

import org.jspecify.annotations.NullMarked;
