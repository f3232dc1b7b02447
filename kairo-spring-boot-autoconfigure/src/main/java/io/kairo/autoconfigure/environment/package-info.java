/**
 * The check of the names of all properties, and of the values of secrets.
 */
@NullMarked
package io.kairo.autoconfigure.environment;

import org.jspecify.annotations.NullMarked;
