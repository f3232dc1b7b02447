/**
 * The tools that read, write, list and describe files.
 */
@NullMarked
package io.kairo.tools.file;

import org.jspecify.annotations.NullMarked;
