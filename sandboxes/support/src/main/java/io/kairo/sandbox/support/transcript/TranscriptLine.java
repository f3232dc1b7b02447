package io.kairo.sandbox.support.transcript;

import io.kairo.sandbox.support.output.OutputChannel;

/**
 * A line that {@link CommandTranscript#awaitLine} found.
 *
 * @param channel the stream of the line
 * @param text the line without its line terminator, as far as it was printed and at most
 * {@link CommandTranscript#LONGEST_LINE} bytes of it
 * @param nextCursor the position after the line
 */
public record TranscriptLine(OutputChannel channel, String text, long nextCursor) {

}
