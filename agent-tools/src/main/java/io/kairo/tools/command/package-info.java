/**
 * The tool that runs commands, and the way from their output to a result.
 */
@NullMarked
package io.kairo.tools.command;

import org.jspecify.annotations.NullMarked;
