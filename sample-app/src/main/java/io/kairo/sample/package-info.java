/**
 * A runnable application that serves an agent's tools over MCP.
 */
@NullMarked
package io.kairo.sample;

import org.jspecify.annotations.NullMarked;
