/**
 * Auto-configuration of tests with the fakes of this module.
 */
@NullMarked
package io.kairo.test.autoconfigure;

import org.jspecify.annotations.NullMarked;
