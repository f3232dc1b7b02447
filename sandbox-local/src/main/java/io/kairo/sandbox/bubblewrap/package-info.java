/**
 * Runs commands in namespaces of their own, made by bubblewrap.
 */
@NullMarked
package io.kairo.sandbox.bubblewrap;

import org.jspecify.annotations.NullMarked;
