/**
 * Text of files and commands: encodings, lines, differences, and phrases for results.
 */
@NullMarked
package io.kairo.tools.text;

import org.jspecify.annotations.NullMarked;
