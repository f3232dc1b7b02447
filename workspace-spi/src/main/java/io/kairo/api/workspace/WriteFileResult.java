package io.kairo.api.workspace;

/**
 * The outcome of writing a text. Immutable.
 *
 * @param actualPath the canonical path of the file, valid as the next argument
 * @since 0.1.0
 */
public record WriteFileResult(String actualPath) {

}
