/**
 * Commands in Landlock domains, without privileges and namespaces.
 */
@NullMarked
package io.kairo.sandbox.landlock;

import org.jspecify.annotations.NullMarked;
