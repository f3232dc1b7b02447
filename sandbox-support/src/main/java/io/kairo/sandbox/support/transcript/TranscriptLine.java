package io.kairo.sandbox.support.transcript;

import io.kairo.sandbox.support.OutputChannel;

/**
 * A line that was waited for.
 *
 * @param channel the stream that it was printed to
 * @param text the line without its end, as far as it was printed and at most
 * {@link CommandTranscript#LONGEST_LINE} bytes of it
 * @param nextCursor where what comes after it begins
 * @since 0.1.0
 */
public record TranscriptLine(OutputChannel channel, String text, long nextCursor) {

}
