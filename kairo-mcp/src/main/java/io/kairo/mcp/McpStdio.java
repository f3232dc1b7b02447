package io.kairo.mcp;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.kairo.tools.Cancellation;
import io.modelcontextprotocol.spec.McpSchema;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The MCP endpoint over standard input and output, for one client: each line is a
 * message. When the client closes the input, its session and its calls end.
 */
final class McpStdio implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(McpStdio.class);

	private static final List<String> LOCALHOST = List.of("localhost");

	private static final List<String> JSON = List.of("application/json");

	private static final List<String> ACCEPTED = List.of("application/json, text/event-stream");

	private final McpEndpoint endpoint;

	private final InputStream input;

	private final OutputStream output;

	private final Runnable whenGone;

	private final ExecutorService executor;

	private volatile @Nullable String session;

	private volatile boolean running;

	/**
	 * Creates the endpoint.
	 * @param whenGone runs when the client has closed the input
	 */
	McpStdio(McpEndpoint endpoint, InputStream input, OutputStream output, Runnable whenGone) {
		this.endpoint = endpoint;
		this.input = new BufferedInputStream(input);
		this.output = output;
		this.whenGone = whenGone;
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-");
		threads.setDaemon(true);
		this.executor = Executors.newCachedThreadPool(threads);
	}

	/**
	 * Creates the endpoint over the standard streams of the JVM.
	 */
	static McpStdio standard(McpEndpoint endpoint, Runnable whenGone) {
		return new McpStdio(endpoint, System.in, System.out, whenGone);
	}

	@Override
	public void start() {
		this.running = true;
		// keeps an application without a web server alive
		new Thread(this::read, "kairo-mcp-stdio").start();
	}

	private void read() {
		try {
			for (byte[] line = line(); line != null; line = line()) {
				if (line.length > 0) {
					receive(line);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.warn("The standard input cannot be read", ex);
		}
		if (this.session != null) {
			serve("DELETE");
		}
		logger.info("The MCP client has closed the standard input: the application ends");
		this.whenGone.run();
	}

	/**
	 * Reads a line. Bytes above the maximum size of a message are dropped, so that the
	 * endpoint refuses it.
	 */
	private byte @Nullable [] line() throws IOException {
		ByteArrayOutputStream line = new ByteArrayOutputStream();
		int next = this.input.read();
		if (next < 0) {
			return null;
		}
		for (; next >= 0 && next != '\n'; next = this.input.read()) {
			if (next != '\r' && line.size() <= this.endpoint.maxRequestSize()) {
				line.write(next);
			}
		}
		return line.toByteArray();
	}

	/**
	 * Handles a message. The thread that reads does not wait for requests, which later
	 * messages may cancel.
	 */
	private void receive(byte[] line) throws IOException {
		McpMessage message;
		try {
			message = McpMessage.read(line);
		}
		catch (IllegalArgumentException ex) {
			// the endpoint says what is wrong with it
			message = null;
		}
		String id = (message != null) ? message.id() : null;
		Exchange exchange = new Exchange("POST", message == null || !message.isNotification());
		if (message != null && message.isRequest() && answerWithoutSession(exchange, message)) {
			return;
		}
		McpCall call = admit(exchange, line, id);
		McpSession own = (call != null) ? call.session() : null;
		if (call != null && own != null) {
			// a later message can cancel it from now on
			Cancellation.Registration registration = (id != null) ? own.register(id, call.cancellation()) : () -> {
			};
			this.executor.execute(() -> {
				try (registration) {
					handle(call);
				}
			});
		}
		else if (call != null) {
			handle(call);
			if (this.session != null) {
				serve("GET");
			}
		}
	}

	/**
	 * Answers a request that comes before the session, or begins a second one.
	 * @return false if the endpoint has to
	 */
	private boolean answerWithoutSession(Exchange exchange, McpMessage message) throws IOException {
		boolean opened = this.session != null;
		if (opened != message.method().equals(McpSchema.METHOD_INITIALIZE)) {
			return false;
		}
		if (message.method().equals(McpSchema.METHOD_PING)) {
			exchange.respond(200, null, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}".formatted(message.id())
				.getBytes(StandardCharsets.UTF_8));
		}
		else {
			refuse(exchange, new McpRefusedException(400, opened ? "The session is initialized already"
					: "The session is not initialized: send initialize first"), message.id());
		}
		return true;
	}

	private void serve(String method) {
		McpCall call = admit(new Exchange(method, true), null, null);
		if (call != null) {
			handle(call);
		}
	}

	private @Nullable McpCall admit(Exchange exchange, byte @Nullable [] content, @Nullable String id) {
		McpCall call = null;
		try {
			call = this.endpoint.admit(exchange, this.endpoint.identify(exchange));
			if (content != null) {
				call.body().add(content, content.length);
			}
			return call;
		}
		catch (McpRefusedException ex) {
			if (call != null) {
				call.close();
			}
			refuse(exchange, ex, id);
			return null;
		}
	}

	private void refuse(Exchange exchange, McpRefusedException refusal, @Nullable String id) {
		try {
			this.endpoint.refuse(exchange, refusal, id);
		}
		catch (IOException ex) {
			logger.debug("A message could not be refused", ex);
		}
	}

	private void handle(McpCall call) {
		try (call) {
			this.endpoint.handle(call);
		}
		catch (IOException ex) {
			logger.debug("A message could not be answered", ex);
		}
	}

	private void write(byte[] line) throws IOException {
		synchronized (this.output) {
			this.output.write(line);
			this.output.write('\n');
			this.output.flush();
		}
	}

	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/**
	 * A message, in the form of a request on the loopback interface.
	 */
	private final class Exchange implements McpHttpExchange {

		private final String method;

		private final boolean answered;

		/**
		 * Creates a message.
		 * @param answered whether it may be answered; a notification may not
		 */
		Exchange(String method, boolean answered) {
			this.method = method;
			this.answered = answered;
		}

		@Override
		public String method() {
			return this.method;
		}

		@Override
		public List<String> headers(String name) {
			String current = McpStdio.this.session;
			return switch (name) {
				case "Host" -> LOCALHOST;
				case "Content-Type" -> JSON;
				case "Accept" -> ACCEPTED;
				case McpEndpoint.SESSION_HEADER -> (current != null) ? List.of(current) : List.of();
				default -> List.of();
			};
		}

		@Override
		public boolean isSecure() {
			return false;
		}

		@Override
		public String localAddress() {
			return "127.0.0.1";
		}

		@Override
		public @Nullable Principal principal() {
			return null;
		}

		@Override
		public void respond(int status, @Nullable String opened, byte[] json) throws IOException {
			if (opened != null) {
				McpStdio.this.session = opened;
			}
			if (json.length > 0 && this.answered) {
				McpStdio.this.write(json);
			}
		}

		@Override
		public McpOutput stream() {
			return new Output();
		}

	}

	/**
	 * A stream of messages, one in each line.
	 */
	private final class Output implements McpOutput {

		@Override
		public void write(String text) throws IOException {
			McpStdio.this.write(text.getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public void message(@Nullable String id, String json) throws IOException {
			write(json);
		}

		@Override
		public void comment() {
			// the end of the input reveals that the client is gone
		}

		@Override
		public void end() {
			// the output stays open
		}

		@Override
		public void onEnd(Runnable action) {
			// it ends with the application
		}

	}

}
