package io.kairo.sandbox.support.transcript;

import java.util.List;
import java.util.stream.Collectors;

import io.kairo.sandbox.support.OutputChannel;

/**
 * What a {@link CommandTranscript} holds from a cursor on.
 *
 * @param parts the text in the order in which it was read; two in a row are of different
 * streams. A character that is not yet complete comes with the next page, bytes that are
 * no UTF-8 as U+FFFD
 * @param nextCursor where to go on reading
 * @param discardedBytes how many bytes are missing in this page because the command
 * printed more than was to be kept; while it runs, how many so far
 * @param complete whether nothing can come after this page
 * @since 0.1.0
 */
public record TranscriptPage(List<Part> parts, long nextCursor, long discardedBytes, boolean complete) {

	/**
	 * Creates the value.
	 * @param parts the text, copied
	 * @param nextCursor where to go on reading
	 * @param discardedBytes how many bytes are missing
	 * @param complete whether nothing can come after this page
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
