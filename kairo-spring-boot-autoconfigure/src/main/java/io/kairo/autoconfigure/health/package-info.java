/**
 * Auto-configuration of health indicators.
 */
@NullMarked
package io.kairo.autoconfigure.health;

import org.jspecify.annotations.NullMarked;
