/**
 * The tool that runs commands, and the conversion of their output to a result.
 */
@NullMarked
package io.kairo.tools.command;

import org.jspecify.annotations.NullMarked;
