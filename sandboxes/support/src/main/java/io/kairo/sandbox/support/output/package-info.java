/**
 * The output of commands: read from both streams, kept within limits and delivered to
 * subscribers.
 */
@NullMarked
package io.kairo.sandbox.support.output;

import org.jspecify.annotations.NullMarked;
