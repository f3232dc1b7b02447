package io.kairo.sandbox.support.transcript;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.kairo.sandbox.support.output.OutputChannel;
import org.jspecify.annotations.Nullable;

/**
 * Collects the text of a page. Each stream is decoded separately.
 */
final class PageText {

	private final Map<OutputChannel, Utf8Text> texts = new EnumMap<>(OutputChannel.class);

	private final List<TranscriptPage.Part> parts = new ArrayList<>();

	private final StringBuilder current = new StringBuilder();

	private @Nullable OutputChannel channel;

	/**
	 * Starts a page at the position of a reader.
	 */
	PageText(ChunkReader reader) {
		for (OutputChannel each : OutputChannel.values()) {
			this.texts.put(each, Utf8Text.after(reader.before(each)));
		}
	}

	void add(OutputChannel from, byte[] data) {
		add(from, text(from).decode(data, 0, data.length));
	}

	/**
	 * Appends incomplete characters at the end of the output.
	 */
	void finish() {
		for (OutputChannel each : OutputChannel.values()) {
			add(each, text(each).finish());
		}
	}

	List<TranscriptPage.Part> parts() {
		closePart();
		return List.copyOf(this.parts);
	}

	private Utf8Text text(OutputChannel from) {
		return this.texts.computeIfAbsent(from, (key) -> new Utf8Text());
	}

	private void add(OutputChannel from, String text) {
		if (text.isEmpty()) {
			return;
		}
		if (this.channel != from) {
			closePart();
			this.channel = from;
		}
		this.current.append(text);
	}

	private void closePart() {
		if (this.channel != null && !this.current.isEmpty()) {
			this.parts.add(new TranscriptPage.Part(this.channel, this.current.toString()));
			this.current.setLength(0);
		}
	}

}
