/**
 * The search engine: it finds files by name and lines by text in any store of files.
 */
@NullMarked
package io.kairo.workspace.search;

import org.jspecify.annotations.NullMarked;
