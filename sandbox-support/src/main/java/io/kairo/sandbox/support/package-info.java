/**
 * What every sandbox backend shares: output log, handle, process tree, shell wrapping.
 */
@NullMarked
package io.kairo.sandbox.support;

import org.jspecify.annotations.NullMarked;
