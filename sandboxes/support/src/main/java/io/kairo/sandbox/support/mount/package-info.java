/**
 * The mounts of a confined command: its directories, their protected paths and the hidden
 * directories, planned without regard to the program that mounts them.
 */
@NullMarked
package io.kairo.sandbox.support.mount;

import org.jspecify.annotations.NullMarked;
