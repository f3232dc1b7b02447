/**
 * System calls of Linux that the Java platform does not offer, on Java 22 or newer.
 */
@NullMarked
package io.kairo.linux;

import org.jspecify.annotations.NullMarked;
