/**
 * Auto-configuration of the tools and their catalog.
 */
@NullMarked
package io.kairo.autoconfigure.tools;

import org.jspecify.annotations.NullMarked;
