package io.kairo.api.workspace;

/**
 * The outcome of writing a text. Immutable.
 *
 * @param actualPath the canonical path of the file, valid as the next argument
 */
public record WriteFileResult(String actualPath) {

}
