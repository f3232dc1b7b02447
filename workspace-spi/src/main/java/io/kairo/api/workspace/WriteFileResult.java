package io.kairo.api.workspace;

/**
 * Says where a text was written. Immutable.
 *
 * @param actualPath the canonical path of the file, valid as the next argument
 * @since 0.1.0
 */
public record WriteFileResult(String actualPath) {

}
