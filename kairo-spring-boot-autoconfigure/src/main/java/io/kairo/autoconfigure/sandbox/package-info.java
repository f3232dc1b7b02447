/**
 * Auto-configuration of the sandbox that runs commands.
 */
@NullMarked
package io.kairo.autoconfigure.sandbox;

import org.jspecify.annotations.NullMarked;
