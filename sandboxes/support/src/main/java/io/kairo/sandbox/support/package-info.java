/**
 * The building blocks of sandbox backends: starting a command, watching it and ending it.
 */
@NullMarked
package io.kairo.sandbox.support;

import org.jspecify.annotations.NullMarked;
