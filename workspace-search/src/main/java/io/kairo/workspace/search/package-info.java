/**
 * The search engine: finds files by their names and lines by their text, over the walk of
 * any store of files.
 */
@NullMarked
package io.kairo.workspace.search;

import org.jspecify.annotations.NullMarked;
