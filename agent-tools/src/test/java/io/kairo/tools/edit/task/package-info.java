/**
 * Edit tasks, run through the tools and through other implementations.
 */
@NullMarked
package io.kairo.tools.edit.task;

import org.jspecify.annotations.NullMarked;
