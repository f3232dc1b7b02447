/**
 * Enforcement of the resource limits of commands.
 */
@NullMarked
package io.kairo.sandbox.support.limits;

import org.jspecify.annotations.NullMarked;
