/**
 * Commands in virtual machines.
 */
@NullMarked
package io.kairo.sandbox.microvm;

import org.jspecify.annotations.NullMarked;
