/**
 * An application that real clients work with.
 */
@NullMarked
package demo;

import org.jspecify.annotations.NullMarked;
