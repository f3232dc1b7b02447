/**
 * The tool that edits a part of a file, and the engine that finds the part.
 */
@NullMarked
package io.kairo.tools.edit;

import org.jspecify.annotations.NullMarked;
