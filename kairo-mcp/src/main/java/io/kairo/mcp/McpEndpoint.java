package io.kairo.mcp;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.boot.CallerTenants;
import io.kairo.tools.Cancellation;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ToolError;
import io.kairo.tools.session.ProcessorTurn;
import io.kairo.tools.session.ProcessorTurns;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionStream;
import io.modelcontextprotocol.spec.ProtocolVersions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.MimeTypeUtils;

/**
 * The MCP endpoint, whatever the server: refuses requests from foreign web pages, bounds
 * the size of messages and the number of messages in progress, knows the caller and the
 * session of each request, and passes messages on to the sessions of the SDK. A request
 * is handled on one thread, which may wait for a tool, a client or a person. Safe for use
 * by several threads.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports">MCP,
 * Transports</a>
 */
final class McpEndpoint {

	static final String SESSION_HEADER = "Mcp-Session-Id";

	private static final Log logger = LogFactory.getLog(McpEndpoint.class);

	/** The client of a request without a session. */
	private static final InitializeRequest NOBODY = InitializeRequest
		.builder(ProtocolVersions.MCP_2025_11_25, ClientCapabilities.builder().build(),
				Implementation.builder("unknown", "unknown").build())
		.build();

	private final McpProperties properties;

	private final McpOrigins origins;

	private final CallerTenants callers;

	private final Function<String, ProcessorTurn> turns;

	private final Function<String, Optional<LimitExceeded>> rate;

	private final McpSessions sessions;

	private final boolean stateless;

	private final McpResources resources;

	private final JsonMapper mapper = new JsonMapper();

	private final McpJsonMapper messages = McpJsonDefaults.getMapper();

	private final TenantSlots requestSlots;

	/** For notifications and answers while all slots for requests are taken. */
	private final TenantSlots spareSlots;

	/** The chunks that all large messages in progress can take. */
	private final McpBody.Chunks chunks;

	/**
	 * Creates the endpoint.
	 * @param turns waits for the turn of a request of a tenant on a processor
	 * @param rate counts a session that a tenant opens, and returns the limit that it
	 * exceeds
	 * @param stateless whether clients have no sessions
	 */
	McpEndpoint(McpProperties properties, CallerTenants callers, Function<String, ProcessorTurn> turns,
			Function<String, Optional<LimitExceeded>> rate, McpSessions sessions, boolean stateless,
			McpResources resources) {
		this.properties = properties;
		this.origins = new McpOrigins(properties.allowedOrigins());
		this.callers = callers;
		this.turns = turns;
		this.rate = rate;
		this.sessions = sessions;
		this.stateless = stateless;
		this.resources = resources;
		McpProperties.Limits limits = properties.limits();
		this.requestSlots = new TenantSlots(limits.requests(), limits.requestsPerTenant());
		this.spareSlots = new TenantSlots(spare(limits.requests()), spare(limits.requestsPerTenant()));
		this.chunks = new McpBody.Chunks(properties.maxRequestSize(), Runtime.getRuntime().maxMemory());
	}

	long maxRequestSize() {
		return this.properties.maxRequestSize().toBytes();
	}

	/**
	 * Returns the number of slots for notifications and answers.
	 */
	static int spare(int requests) {
		return requests / 10 + 1;
	}

	/**
	 * Returns the caller of a request. May wait for the application.
	 * @return the caller, empty if there is no tenant
	 * @throws McpRefusedException if it is refused
	 */
	Optional<TenantContext> identify(McpHttpExchange exchange) {
		this.origins.require(exchange);
		try {
			return this.callers.current(exchange.principal());
		}
		catch (RuntimeException ex) {
			CallerTenants.log("the MCP server", ex);
			throw new McpRefusedException((exchange.principal() != null) ? 403 : 401,
					ToolError.tenantRequired().message());
		}
	}

	/**
	 * Admits a request. Its content is to be read next if it is a POST.
	 * @return the call, to be closed when the response has been sent
	 * @throws McpRefusedException if it is refused
	 */
	McpCall admit(McpHttpExchange exchange, Optional<TenantContext> caller) {
		McpSession session = session(exchange, caller);
		if (!exchange.method().equals("POST")) {
			return new McpCall(exchange, caller, session, null, false, null);
		}
		exchange.requireJson();
		String tenant = caller.map(TenantContext::tenantId).orElse("");
		TenantSlots.Slot free = this.requestSlots.take(tenant);
		TenantSlots.Slot slot = (free != null) ? free : this.spareSlots.take(tenant);
		if (slot == null) {
			throw McpRefusedException.tooManyRequests(this.properties.limits());
		}
		return new McpCall(exchange, caller, session, slot, free == null,
				new McpBody(this.properties.maxRequestSize(), tenant, this.chunks, () -> this.turns.apply(tenant)));
	}

	private @Nullable McpSession session(McpHttpExchange exchange, Optional<TenantContext> caller) {
		String id = exchange.header(SESSION_HEADER);
		if (id == null || this.stateless) {
			return null;
		}
		McpSession session = this.sessions.use(caller, id);
		if (session == null) {
			throw new McpRefusedException(404, "The session does not exist: initialize another one");
		}
		return session;
	}

	/**
	 * Handles a request, and writes its response.
	 * @param call the request, whose content has been read
	 */
	void handle(McpCall call) throws IOException {
		// a request without a slot does not wait
		boolean waits = call.exchange().method().equals("POST");
		try (ProcessorTurn turn = waits ? this.turns.apply(call.tenant()) : ProcessorTurns.NONE) {
			switch (call.exchange().method()) {
				case "POST" -> message(call);
				case "GET" -> listen(call);
				case "DELETE" -> {
					this.sessions.end(requireSession(call));
					call.exchange().respond(200, null, new byte[0]);
				}
				default -> throw notAllowed();
			}
		}
		catch (McpRefusedException ex) {
			refuse(call.exchange(), ex, call.id());
		}
		catch (RuntimeException ex) {
			logger.warn("A message of an MCP client could not be handled", ex);
			refuse(call.exchange(), new McpRefusedException(500, "The message could not be handled"), call.id());
		}
	}

	/**
	 * Writes the response to a request that is refused.
	 * @param id the id of the request in JSON, null if it is not known
	 */
	void refuse(McpHttpExchange exchange, McpRefusedException refusal, @Nullable String id) throws IOException {
		exchange.respond(refusal.status(), null,
				this.mapper.writeValueAsBytes(refusal.body((id != null) ? this.mapper.readTree(id) : null)));
	}

	private McpRefusedException notAllowed() {
		return new McpRefusedException(405, "The method is not allowed: send messages with POST");
	}

	private McpSession requireSession(McpCall call) {
		if (this.stateless) {
			throw notAllowed();
		}
		McpSession session = call.session();
		if (session == null) {
			throw new McpRefusedException(400,
					"The header " + SESSION_HEADER + " is missing: initialize a session, and name it in each request");
		}
		return session;
	}

	private void listen(McpCall call) throws IOException {
		McpSession session = requireSession(call);
		call.exchange().requireAccepted(McpHttpExchange.EVENTS);
		this.sessions.listen(call, session, this.messages);
	}

	private void message(McpCall call) throws IOException {
		byte[] json = call.body().content();
		McpMessage message = valid(() -> McpMessage.read(json));
		call.id(message.id());
		if (message.isRequest()) {
			if (call.isSpare()) {
				throw McpRefusedException.tooManyRequests(this.properties.limits());
			}
			request(call, message, json.length);
		}
		else {
			notice(call, message);
			call.exchange().respond(202, null, new byte[0]);
		}
	}

	private static <T> T valid(Supplier<T> reading) {
		try {
			return reading.get();
		}
		catch (IllegalArgumentException ex) {
			throw new McpRefusedException(400, String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Handles a notification, or the answer to a request of the server. Unknown
	 * notifications and answers to unknown requests have no effect.
	 */
	private void notice(McpCall call, McpMessage message) {
		McpSession session = this.stateless ? null : requireSession(call);
		if (session == null) {
			return;
		}
		if (message.method().equals(McpMessage.CANCELLED)) {
			if (message.reference() != null) {
				session.cancel(message.reference());
			}
			return;
		}
		if (message.method().isEmpty() && toSdk(message) instanceof JSONRPCResponse response) {
			// It may be late, and the client of the SDK gives up a session that refuses.
			session.sdk().accept(response).onErrorComplete(McpError.class).block();
		}
		// not that of changed roots: the SDK would ask for all of them, without a bound
		else if (message.method().equals(McpSchema.METHOD_NOTIFICATION_INITIALIZED)
				&& toSdk(message) instanceof JSONRPCNotification notification) {
			session.sdk()
				.accept(notification)
				.contextWrite((context) -> context.put(McpTransportContext.KEY, call.context()))
				.block();
		}
	}

	private void request(McpCall call, McpMessage message, int bytes) throws IOException {
		McpHttpExchange exchange = call.exchange();
		exchange.requireAccepted(MimeTypeUtils.APPLICATION_JSON);
		if (!this.stateless) {
			exchange.requireAccepted(McpHttpExchange.EVENTS);
		}
		if (message.method().equals(McpSchema.METHOD_INITIALIZE)) {
			initialize(call, valid(() -> message.cleaned(bytes)));
			return;
		}
		exchange.requireVersion(this.sessions.protocolVersions());
		McpSession session = this.stateless ? null : requireSession(call);
		JSONRPCRequest request = (JSONRPCRequest) toSdk(message);
		JSONRPCResponse response = ownAnswer(call, message, request);
		if (response != null) {
			exchange.respond(200, null, this.messages.writeValueAsBytes(response));
			return;
		}
		if (session != null) {
			try (Cancellation.Registration registration = session.register(Objects.requireNonNull(message.id()),
					call.cancellation())) {
				if (!this.sessions.isOpen(session.id())) {
					throw new McpRefusedException(404, "The session has ended: initialize another one");
				}
				answer(call, request, session.sdk(), exchange.stream());
			}
		}
		else {
			answer(call, request, this.sessions.begin(NOBODY).session(), new McpLateStream(exchange));
		}
	}

	/**
	 * Answers a request that the SDK would answer in the same way for all callers.
	 * @return the answer, null if the SDK answers the request
	 */
	private @Nullable JSONRPCResponse ownAnswer(McpCall call, McpMessage message, JSONRPCRequest request) {
		try {
			Object result = this.resources.answer(call, message);
			return (result != null) ? JSONRPCResponse.result(request.id(), result) : null;
		}
		catch (McpError ex) {
			return JSONRPCResponse.error(request.id(), ex.getJsonRpcError());
		}
	}

	private void answer(McpCall call, JSONRPCRequest request, McpStreamableServerSession session, McpOutput output) {
		McpSession own = call.session();
		McpEventStream stream = new McpEventStream(output, this.messages,
				() -> own == null || this.sessions.isOpen(own.id()), call.cancellation()::cancel, true,
				this.sessions.timer());
		output.onEnd(stream::ended);
		stream.beat(this.sessions.timer(), this.properties.heartbeatInterval(), this.properties.heartbeatInterval());
		McpStreamableServerSessionStream answering = session.responseStream(stream);
		try {
			answering.handle(request)
				.contextWrite((context) -> context.put(McpTransportContext.KEY, call.context()))
				.block();
		}
		catch (RuntimeException ex) {
			logger.debug("A request could not be handled, or its answer not be sent", ex);
			stream
				.sendMessage(
						JSONRPCResponse.error(request.id(),
								new JSONRPCResponse.JSONRPCError(McpSchema.ErrorCodes.INVALID_PARAMS,
										"The parameters of " + request.method() + " are not valid")))
				.onErrorComplete()
				.block();
		}
		finally {
			stream.endAndWait();
			answering.close();
		}
	}

	private void initialize(McpCall call, McpMessage message) throws IOException {
		Optional<LimitExceeded> exceeded = this.rate.apply(call.tenant());
		if (exceeded.isPresent()) {
			throw new McpRefusedException(429, exceeded.get().result().text());
		}
		JSONRPCRequest request = (JSONRPCRequest) toSdk(message);
		InitializeRequest parameters = parameters(request);
		McpStreamableServerSessionInit opened = this.sessions.begin(parameters);
		Object result = Objects.requireNonNull(opened.initResult().block());
		if (!this.stateless) {
			this.sessions.add(opened.session(), call.caller());
		}
		call.exchange()
			.respond(200, this.stateless ? null : opened.session().getId(),
					this.messages.writeValueAsBytes(JSONRPCResponse.result(request.id(), result)));
	}

	private InitializeRequest parameters(JSONRPCRequest request) {
		try {
			return Objects.requireNonNull(this.messages.convertValue(request.params(), InitializeRequest.class));
		}
		catch (RuntimeException ex) {
			throw new McpRefusedException(400, "The parameters of initialize are not valid");
		}
	}

	private JSONRPCMessage toSdk(McpMessage message) {
		try {
			return message.toSdk(this.messages);
		}
		catch (IllegalArgumentException | JacksonException ex) {
			throw new McpRefusedException(400, "The message is not one of JSON-RPC 2.0");
		}
	}

}
