/**
 * The tools that find files by name and by content.
 */
@NullMarked
package io.kairo.tools.search;

import org.jspecify.annotations.NullMarked;
