/**
 * Auto-configuration of the sandbox that runs commands, and its configuration properties.
 */
@NullMarked
package io.kairo.autoconfigure.sandbox;

import org.jspecify.annotations.NullMarked;
