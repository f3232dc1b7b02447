/**
 * Commands in Landlock domains. They need no privilege and no namespace.
 */
@NullMarked
package io.kairo.sandbox.landlock;

import org.jspecify.annotations.NullMarked;
