/**
 * Reads the output of a running command bit by bit and waits for it, through any handle.
 */
@NullMarked
package io.kairo.sandbox.support.transcript;

import org.jspecify.annotations.NullMarked;
