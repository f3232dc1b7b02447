/**
 * Auto-configuration of meters and observations, and of the interception of commands.
 */
@NullMarked
package io.kairo.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
