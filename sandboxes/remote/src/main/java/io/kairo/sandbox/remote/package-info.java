/**
 * A sandbox whose commands run on another machine, over HTTP.
 */
@NullMarked
package io.kairo.sandbox.remote;

import org.jspecify.annotations.NullMarked;
