package io.kairo.autoconfigure.mcp;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.session.ProcessorTurn;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.codec.HttpMessageReader;
import org.springframework.http.codec.HttpMessageWriter;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.function.server.HandlerFilterFunction;
import org.springframework.web.reactive.function.server.HandlerFunction;
import org.springframework.web.reactive.function.server.HandlerStrategies;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.function.server.support.ServerRequestWrapper;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.ServerWebExchange;

/**
 * Guards an MCP endpoint of WebFlux, and writes its responses, so that a slot is held
 * until a response has been sent. Puts the {@link ReactiveMcpCall} into the Reactor
 * context. Safe for use by several threads.
 */
final class ReactiveMcpFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	private static final Log logger = LogFactory.getLog(ReactiveMcpFilter.class);

	private static final String DATA = "\ndata:";

	private static final int MAX_ERROR_BYTES = 4096;

	/** For messages that were read, whose size is bounded already. */
	private static final List<HttpMessageReader<?>> READERS = HandlerStrategies.builder()
		.codecs((codecs) -> codecs.defaultCodecs().maxInMemorySize(-1))
		.build()
		.messageReaders();

	private static final ServerResponse.Context WRITERS = new WriterContext(
			HandlerStrategies.withDefaults().messageWriters());

	private final McpGuard guard;

	private final ReactiveMcpCallers callers;

	private final ReactiveMcpThreads threads;

	private final McpResourceAnswers resources;

	private final @Nullable ReactiveMcpSessions sessions;

	/**
	 * Creates the filter of an endpoint.
	 * @param sessions the sessions, null if the endpoint is stateless
	 */
	ReactiveMcpFilter(McpGuard guard, ReactiveMcpCallers callers, ReactiveMcpThreads threads,
			McpResourceAnswers resources, @Nullable ReactiveMcpSessions sessions) {
		this.guard = guard;
		this.callers = callers;
		this.threads = threads;
		this.resources = resources;
		this.sessions = sessions;
	}

	@Override
	public Mono<ServerResponse> filter(ServerRequest request, HandlerFunction<ServerResponse> next) {
		return Mono.fromRunnable(() -> requireOwnOrigin(request))
			.then(this.callers.of(request))
			.flatMap((caller) -> guarded(request, caller, next))
			.onErrorResume(McpRefusedException.class, this::refuse);
	}

	private Mono<ServerResponse> guarded(ServerRequest request, Optional<TenantContext> caller,
			HandlerFunction<ServerResponse> next) {
		String session = (this.sessions != null) ? request.headers().firstHeader(ReactiveMcpSessions.HEADER) : null;
		if (this.sessions != null && session != null) {
			this.sessions.require(caller, session);
			if (request.method().equals(HttpMethod.DELETE)) {
				return this.sessions.delete(request, caller, session, next);
			}
			if (request.method().equals(HttpMethod.GET)) {
				return listen(request, caller, session, next, this.sessions);
			}
		}
		return request.method().equals(HttpMethod.POST) ? message(request, caller, session, next)
				: next.handle(request);
	}

	/**
	 * Writes the event stream of a session. It begins with a comment that tells the
	 * client that the stream is open.
	 */
	private Mono<ServerResponse> listen(ServerRequest request, Optional<TenantContext> caller, String session,
			HandlerFunction<ServerResponse> next, ReactiveMcpSessions sessions) {
		return Mono.using(() -> sessions.streams().open(tenant(caller), session),
				(stream) -> next.handle(request)
					.flatMap((response) -> isEvents(response) ? writeEvents(request, response,
							(output) -> new ReactiveMcpEvents(output, Duration.ZERO,
									this.guard.properties().heartbeatInterval(), ReactiveMcpEvents.PATIENCE,
									() -> sessions.isOpen(session), stream::end, (event) -> false, stream.ended()))
						.then(Mono.<ServerResponse>empty()) : Mono.just(response)),
				ReactiveMcpStreams.Stream::close);
	}

	private static Mono<Void> writeEvents(ServerRequest request, ServerResponse response,
			UnaryOperator<ServerHttpResponse> events) {
		ServerWebExchange exchange = request.exchange();
		return response.writeTo(exchange.mutate().response(events.apply(exchange.getResponse())).build(), WRITERS);
	}

	private static boolean isEvents(ServerResponse response) {
		return MediaType.TEXT_EVENT_STREAM.equals(response.headers().getContentType());
	}

	private static String tenant(Optional<TenantContext> caller) {
		// without a tenant, the tool rejects a call, not the protocol
		return caller.map(TenantContext::tenantId).orElse("");
	}

	private void requireOwnOrigin(ServerRequest request) {
		InetSocketAddress local = request.exchange().getRequest().getLocalAddress();
		// the rules for the loopback interface are the stricter ones
		String address = (local == null || local.getAddress() == null) ? "127.0.0.1"
				: local.getAddress().getHostAddress();
		this.guard.requireOwnOrigin(request.headers().firstHeader(HttpHeaders.ORIGIN), request.headers().host(),
				"https".equals(request.uri().getScheme()), address);
	}

	private Mono<ServerResponse> message(ServerRequest request, Optional<TenantContext> caller,
			@Nullable String session, HandlerFunction<ServerResponse> next) {
		this.guard.requireJson(request.headers().contentType());
		return Mono.using(() -> new ReactiveMcpCall(caller, session, this.guard.admit(tenant(caller))),
				(call) -> answer(request, call, next).flatMap((response) -> write(request, call, response))
					.doOnCancel(() -> this.threads.cancel(call))
					.doOnError((ex) -> this.threads.cancel(call))
					.contextWrite((context) -> context.put(ReactiveMcpCall.class, call)),
				ReactiveMcpCall::close);
	}

	private Mono<ServerResponse> answer(ServerRequest request, ReactiveMcpCall call,
			HandlerFunction<ServerResponse> next) {
		return read(request, call).then(inTurn(call, handle(request, call, next)))
			.flatMap(this::plain)
			.onErrorResume(McpRefusedException.class, this::refuse)
			.onErrorResume((ex) -> {
				logger.warn("A message to the MCP server could not be handled: " + ex);
				return error(HttpStatus.INTERNAL_SERVER_ERROR);
			});
	}

	/**
	 * Reads the content of a message, without a thread that waits for it.
	 */
	private Mono<Void> read(ServerRequest request, ReactiveMcpCall call) {
		McpBody body = call.admission().body();
		return Mono.fromRunnable(() -> body.requireLength(request.headers().contentLength().orElse(0)))
			.thenMany(request.bodyToFlux(DataBuffer.class))
			.concatMap((part) -> body.isSmall() ? Mono.fromRunnable(() -> add(call, part))
					: this.threads.<Void>run(() -> add(call, part)), 1)
			.doOnDiscard(DataBuffer.class, DataBufferUtils::release)
			.then()
			.timeout(McpBody.READ_TIME, Mono.error(McpBody::tooSlow))
			.onErrorMap((ex) -> !(ex instanceof McpRefusedException),
					(ex) -> new McpRefusedException(HttpStatus.BAD_REQUEST, "The message was not received completely"));
	}

	private static @Nullable Void add(ReactiveMcpCall call, DataBuffer part) {
		try {
			if (call.begin()) {
				try {
					byte[] bytes = new byte[part.readableByteCount()];
					part.read(bytes);
					call.admission().body().add(bytes, bytes.length);
				}
				finally {
					call.end();
				}
			}
		}
		finally {
			DataBufferUtils.release(part);
		}
		return null;
	}

	private <T> Mono<T> inTurn(ReactiveMcpCall call, Mono<T> work) {
		return this.threads.<ProcessorTurn>run(() -> this.guard.turn(call.admission().tenant()))
			.flatMap((turn) -> Mono.using(() -> turn, (taken) -> work, ProcessorTurn::close));
	}

	private Mono<ServerResponse> handle(ServerRequest request, ReactiveMcpCall call,
			HandlerFunction<ServerResponse> next) {
		return this.threads.<Mono<ServerResponse>>run(call, () -> {
			McpGuard.Passed passed = this.guard.check(call.admission());
			if (passed == null) {
				return ServerResponse.accepted().build();
			}
			call.requestId(passed.message().requestId());
			if (this.sessions != null && this.sessions.cancel(call, passed.message())) {
				return ServerResponse.accepted().build();
			}
			String answer = this.resources.answer(passed.message(), call.session());
			if (answer != null) {
				return ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).bodyValue(answer);
			}
			Mono<ServerResponse> response = next.handle(withContent(request, passed.content()));
			return (this.sessions != null && call.session() == null) ? this.sessions.open(request, call, response)
					: response;
		}).flatMap((response) -> response);
	}

	private static ServerRequest withContent(ServerRequest request, byte[] content) {
		return ServerRequest.from(new UnboundedRequest(request))
			.headers((headers) -> headers.setContentLength(content.length))
			.body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(content))))
			.build();
	}

	private Mono<ServerResponse> write(ServerRequest request, ReactiveMcpCall call, ServerResponse response) {
		Duration interval = this.guard.properties().heartbeatInterval();
		return inTurn(call, isEvents(response) ? writeEvents(request, response,
				(output) -> new ReactiveMcpEvents(output, interval, interval, ReactiveMcpEvents.PATIENCE,
						() -> isOpen(call.session()), () -> this.threads.cancel(call), this::isAnswer, Mono.never()))
				: response.writeTo(request.exchange(), WRITERS))
			.then(Mono.empty());
	}

	/**
	 * Returns whether an event answers the request. The transport leaves the stream open
	 * after the answer to an unknown method. That answer is short.
	 */
	private boolean isAnswer(DataBuffer event) {
		String text = (event.readableByteCount() <= MAX_ERROR_BYTES) ? event.toString(StandardCharsets.UTF_8) : "";
		int data = text.indexOf(DATA);
		if (data < 0) {
			return false;
		}
		try {
			McpMessage message = McpMessage.read(this.guard.mapper(),
					text.substring(data + DATA.length()).getBytes(StandardCharsets.UTF_8));
			return message.method().isEmpty();
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private boolean isOpen(@Nullable String session) {
		return this.sessions == null || session == null || this.sessions.isOpen(session);
	}

	/**
	 * Returns an error of the server without the stack trace that it is written with.
	 */
	private Mono<ServerResponse> plain(ServerResponse response) {
		return response.statusCode().isError() ? error(response.statusCode()) : Mono.just(response);
	}

	private Mono<ServerResponse> error(HttpStatusCode status) {
		return respond(status, McpRefusedException.body(status,
				status.is5xxServerError() ? ErrorCodes.INTERNAL_ERROR : ErrorCodes.INVALID_REQUEST,
				"The message is not valid: send a JSON-RPC message of a session that exists, if there are sessions, and "
						+ "accept application/json and text/event-stream"));
	}

	private Mono<ServerResponse> refuse(McpRefusedException refusal) {
		return respond(refusal.status(), refusal.body());
	}

	private Mono<ServerResponse> respond(HttpStatusCode status, Map<String, Object> body) {
		return ServerResponse.status(status)
			.contentType(MediaType.APPLICATION_JSON)
			.bodyValue(this.guard.mapper().writeValueAsString(body));
	}

	/**
	 * A request whose content can have any size.
	 */
	private static final class UnboundedRequest extends ServerRequestWrapper {

		UnboundedRequest(ServerRequest request) {
			super(request);
		}

		@Override
		public List<HttpMessageReader<?>> messageReaders() {
			return READERS;
		}

	}

	/**
	 * The writers of responses.
	 *
	 * @param messageWriters the writers
	 */
	private record WriterContext(List<HttpMessageWriter<?>> messageWriters) implements ServerResponse.Context {

		@Override
		public List<ViewResolver> viewResolvers() {
			return List.of();
		}

	}

}
