package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a compare-exchange on a file that was there. Immutable.
 *
 * @param exchanged whether the file had the expected text and has the new one now
 * @param actualPath the canonical path of the file, valid as the next argument
 * @param reason why nothing was exchanged, null if it was
 * @since 0.1.0
 */
public record CompareExchangeResult(boolean exchanged, String actualPath, @Nullable String reason) {

}
