package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a compare-exchange on an existing file. Immutable.
 *
 * @param exchanged whether the file had the expected text and it was replaced
 * @param actualPath the canonical path of the file, valid as the next argument
 * @param reason the reason if the text was not replaced, otherwise null
 */
public record CompareExchangeResult(boolean exchanged, String actualPath, @Nullable String reason) {

}
