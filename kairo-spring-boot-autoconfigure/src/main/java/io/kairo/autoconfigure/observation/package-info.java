/**
 * Auto-configuration of meters and traces.
 */
@NullMarked
package io.kairo.autoconfigure.observation;

import org.jspecify.annotations.NullMarked;
