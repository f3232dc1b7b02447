/**
 * The filter for the system calls of commands.
 */
@NullMarked
package io.kairo.sandbox.support.seccomp;

import org.jspecify.annotations.NullMarked;
