/**
 * Auto-configuration of the tools for chat models of Spring AI.
 */
@NullMarked
package io.kairo.autoconfigure.springai;

import org.jspecify.annotations.NullMarked;
