/**
 * A scripted chat model of Spring AI.
 */
@NullMarked
package io.kairo.test.springai;

import org.jspecify.annotations.NullMarked;
