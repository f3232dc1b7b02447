package io.kairo.tools;

/**
 * A sign of life from a tool that takes long. Immutable.
 *
 * @param amount how much is done, growing from one sign to the next; its unit is the
 * tool's
 * @param message what is going on, for people to read
 * @since 0.1.0
 */
public record ToolProgress(long amount, String message) {

}
