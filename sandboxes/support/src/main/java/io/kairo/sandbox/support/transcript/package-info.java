/**
 * Incremental reading of the output of running commands, through any handle.
 */
@NullMarked
package io.kairo.sandbox.support.transcript;

import org.jspecify.annotations.NullMarked;
