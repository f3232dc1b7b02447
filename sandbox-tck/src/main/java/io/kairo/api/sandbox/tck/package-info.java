/**
 * The contract of a sandbox as tests that a backend extends.
 */
@NullMarked
package io.kairo.api.sandbox.tck;

import org.jspecify.annotations.NullMarked;
