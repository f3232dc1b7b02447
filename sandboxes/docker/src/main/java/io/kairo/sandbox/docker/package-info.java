/**
 * A sandbox that runs commands in containers of a Docker engine.
 */
@NullMarked
package io.kairo.sandbox.docker;

import org.jspecify.annotations.NullMarked;
