/**
 * The parts of the auto-configuration that modules with an auto-configuration of their
 * own share. It is optional there, so that these auto-configurations require a class of
 * this package.
 */
@NullMarked
package io.kairo.boot;

import org.jspecify.annotations.NullMarked;
