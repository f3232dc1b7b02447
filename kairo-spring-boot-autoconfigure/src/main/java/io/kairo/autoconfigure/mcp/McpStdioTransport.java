package io.kairo.autoconfigure.mcp;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import io.kairo.tools.Cancellation;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The transport of a server over standard input and output, with behaviour that the SDK
 * does not have: the client cancels its requests, and they end when it closes the input.
 */
final class McpStdioTransport extends StdioServerTransportProvider {

	private static final String CANCELLATION = McpStdioTransport.class.getName() + ".cancellation";

	private final StdioServerTransportProvider delegate;

	private final Runnable whenGone;

	/**
	 * Creates the transport.
	 * @param delegate the transport of the SDK
	 * @param whenGone runs when the client has closed the input
	 */
	McpStdioTransport(StdioServerTransportProvider delegate, Runnable whenGone) {
		super(McpJsonDefaults.getMapper());
		this.delegate = delegate;
		this.whenGone = whenGone;
	}

	/**
	 * Returns the cancellation of the request that a tool is called for.
	 * @return the cancellation, null if the request came over another transport
	 */
	static @Nullable Cancellation cancellation(McpSyncServerExchange exchange) {
		McpTransportContext context = exchange.transportContext();
		return (context != null && context.get(CANCELLATION) instanceof Cancellation cancellation) ? cancellation
				: null;
	}

	@Override
	public void setSessionFactory(McpServerSession.Factory factory) {
		this.delegate.setSessionFactory((transport) -> new Session(factory.create(transport), transport));
	}

	@Override
	public Mono<Void> notifyClients(String method, @Nullable Object params) {
		return this.delegate.notifyClients(method, params);
	}

	@Override
	public Mono<Void> notifyClient(String sessionId, String method, @Nullable Object params) {
		return this.delegate.notifyClient(sessionId, method, params);
	}

	@Override
	public Mono<Void> closeGracefully() {
		return this.delegate.closeGracefully();
	}

	/**
	 * The session of the client, between the transport and the session of the server.
	 */
	private final class Session extends McpServerSession {

		private final McpServerSession session;

		/** The calls in progress, by the id of the request. */
		private final ConcurrentMap<Object, Cancellation> running = new ConcurrentHashMap<>();

		Session(McpServerSession session, McpServerTransport transport) {
			super(session.getId(), Duration.ZERO, transport, (request) -> Mono.empty(), Map.of(), Map.of(),
					Mono::empty);
			this.session = session;
		}

		@Override
		public Mono<Void> handle(JSONRPCMessage message) {
			if (message instanceof JSONRPCRequest request && request.method().equals(McpMessage.CALL)
					&& request.id() != null) {
				return call(request);
			}
			if (message instanceof JSONRPCNotification notification
					&& notification.method().equals(McpMessage.CANCELLED)) {
				cancel(notification);
				return Mono.empty();
			}
			return this.session.handle(message);
		}

		/**
		 * Handles a call on another thread than the thread that reads the input. A server
		 * in a web application would run the tool on that thread.
		 */
		private Mono<Void> call(JSONRPCRequest request) {
			Cancellation cancellation = new Cancellation();
			this.running.put(request.id(), cancellation);
			return this.session.handle(request)
				.contextWrite((context) -> context.put(McpTransportContext.KEY,
						McpTransportContext.create(Map.of(CANCELLATION, cancellation))))
				.doFinally((signal) -> this.running.remove(request.id(), cancellation))
				.subscribeOn(Schedulers.boundedElastic());
		}

		private void cancel(JSONRPCNotification notification) {
			Object id = (notification.params() instanceof Map<?, ?> params) ? params.get("requestId") : null;
			Cancellation cancellation = (id != null) ? this.running.get(id) : null;
			if (cancellation != null) {
				cancellation.cancel();
			}
		}

		@Override
		public Mono<Void> sendNotification(String method, @Nullable Object params) {
			return this.session.sendNotification(method, params);
		}

		@Override
		public Mono<Void> closeGracefully() {
			return this.session.closeGracefully();
		}

		/**
		 * Ends the session after the end of the input.
		 */
		@Override
		public void close() {
			this.running.values().forEach(Cancellation::cancel);
			this.session.close();
			McpStdioTransport.this.whenGone.run();
		}

	}

}
