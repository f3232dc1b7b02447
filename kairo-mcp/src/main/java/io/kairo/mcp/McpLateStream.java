package io.kairo.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request without a session: JSON, or an event stream if it takes so long
 * that the client may be gone.
 */
final class McpLateStream implements McpOutput {

	private final McpHttpExchange exchange;

	private final boolean accepted;

	private @Nullable McpOutput stream;

	private boolean responded;

	private Runnable whenEnded = () -> {
	};

	McpLateStream(McpHttpExchange exchange) {
		this.exchange = exchange;
		this.accepted = exchange.accepts(McpHttpExchange.EVENTS);
	}

	private McpOutput stream() throws IOException {
		if (this.stream == null) {
			this.stream = this.exchange.stream();
			this.stream.onEnd(this.whenEnded);
		}
		return this.stream;
	}

	@Override
	public void write(String text) throws IOException {
		stream().write(text);
	}

	@Override
	public void message(@Nullable String id, String json) throws IOException {
		if (this.stream == null && id == null) {
			this.responded = true;
			this.exchange.respond(200, null, json.getBytes(StandardCharsets.UTF_8));
		}
		else if (this.accepted) {
			stream().message(id, json);
		}
	}

	@Override
	public void comment() throws IOException {
		if (this.accepted && !this.responded) {
			stream().comment();
		}
	}

	@Override
	public void end() {
		if (this.stream != null) {
			this.stream.end();
		}
	}

	@Override
	public void onEnd(Runnable action) {
		this.whenEnded = action;
	}

}
