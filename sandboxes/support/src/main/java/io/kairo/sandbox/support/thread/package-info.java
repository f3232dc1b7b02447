/**
 * The threads and timers of sandboxes.
 */
@NullMarked
package io.kairo.sandbox.support.thread;

import org.jspecify.annotations.NullMarked;
