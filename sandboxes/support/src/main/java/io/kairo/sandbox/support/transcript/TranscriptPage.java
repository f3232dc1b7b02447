package io.kairo.sandbox.support.transcript;

import java.util.List;
import java.util.stream.Collectors;

import io.kairo.sandbox.support.output.OutputChannel;

/**
 * A page of the output of a {@link CommandTranscript}. Immutable.
 *
 * @param parts the text in the order of reading; consecutive parts belong to different
 * streams. An incomplete character comes with the next page; bytes that are not UTF-8
 * become U+FFFD; copied
 * @param nextCursor the position after the page
 * @param discardedBytes number of bytes missing in this page because the command exceeded
 * the limits of its output; while it runs, the number so far
 * @param complete whether this is the last page
 */
public record TranscriptPage(List<Part> parts, long nextCursor, long discardedBytes, boolean complete) {

	/**
	 * Creates the value.
	 */
	public TranscriptPage {
		parts = List.copyOf(parts);
	}

	/**
	 * Returns the text of both streams.
	 * @return the text, empty if there is none
	 */
	public String text() {
		return this.parts.stream().map(Part::text).collect(Collectors.joining());
	}

	/**
	 * Text of one stream.
	 *
	 * @param channel the stream
	 * @param text the text, never empty
	 */
	public record Part(OutputChannel channel, String text) {

	}

}
