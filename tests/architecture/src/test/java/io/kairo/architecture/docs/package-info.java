/**
 * Checks of the documentation: its samples, its links and the names it uses.
 */
@NullMarked
package io.kairo.architecture.docs;

import org.jspecify.annotations.NullMarked;
