/**
 * The check of the names of all properties.
 */
@NullMarked
package io.kairo.autoconfigure.environment;

import org.jspecify.annotations.NullMarked;
