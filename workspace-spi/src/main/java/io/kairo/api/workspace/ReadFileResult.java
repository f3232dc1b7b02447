package io.kairo.api.workspace;

/**
 * The text of a file. Immutable.
 *
 * @param content the whole text
 * @param actualPath the canonical path of the file, valid as the next argument
 */
public record ReadFileResult(String content, String actualPath) {

}
