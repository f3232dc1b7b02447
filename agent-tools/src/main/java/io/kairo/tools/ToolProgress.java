package io.kairo.tools;

/**
 * The progress of a long call. Immutable.
 *
 * @param amount the amount of work done so far, in a unit of the tool; never decreases
 * @param message a message for people
 * @since 0.1.0
 */
public record ToolProgress(long amount, String message) {

}
