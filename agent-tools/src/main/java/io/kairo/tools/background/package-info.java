/**
 * Commands that outlive the call that starts them.
 */
@NullMarked
package io.kairo.tools.background;

import org.jspecify.annotations.NullMarked;
