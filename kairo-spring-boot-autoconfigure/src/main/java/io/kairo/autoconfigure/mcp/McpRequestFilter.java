package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.LimitExceeded;
import io.kairo.tools.ProcessorTurn;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.EntityResponse;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Guards an MCP endpoint: refuses requests from foreign web pages, bounds the size of
 * messages and the number of requests and event streams in progress, and ends each
 * response. Safe for use by several threads.
 */
final class McpRequestFilter implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	static final String MESSAGE = McpRequestFilter.class.getName() + ".message";

	static final String CALLER = McpRequestFilter.class.getName() + ".caller";

	static final String CANCELLATION = McpRequestFilter.class.getName() + ".cancellation";

	static final String SESSION_HEADER = "Mcp-Session-Id";

	/** Of a message to the SSE endpoint. */
	private static final String SESSION_PARAMETER = "sessionId";

	private final McpProperties properties;

	private final McpOrigins origins;

	private final JsonMapper mapper;

	private final Supplier<Optional<TenantContext>> caller;

	private final Function<String, ProcessorTurn> turns;

	private final Function<String, Optional<LimitExceeded>> rate;

	private final McpStreams streams;

	private final Set<String> notifications;

	private final TenantSlots requestSlots;

	/** For notifications and answers while all slots for requests are taken. */
	private final TenantSlots spareSlots;

	/** The chunks that all large messages in progress can take. */
	private final Semaphore chunks;

	/**
	 * Creates the filter of an endpoint.
	 * @param caller supplies the caller, empty if a tenant is required and there is none;
	 * throws an exception if the principal belongs to no tenant
	 * @param turns waits for the turn of a request of a tenant on a processor
	 * @param rate counts a session that a tenant opens, and returns the limit that it
	 * exceeds
	 * @param notifications the methods of the notifications to pass on; others are
	 * accepted without effect
	 */
	McpRequestFilter(McpProperties properties, JsonMapper mapper, Supplier<Optional<TenantContext>> caller,
			Function<String, ProcessorTurn> turns, Function<String, Optional<LimitExceeded>> rate, McpStreams streams,
			Set<String> notifications) {
		this.properties = properties;
		this.origins = new McpOrigins(properties.allowedOrigins());
		this.mapper = mapper;
		this.caller = caller;
		this.turns = turns;
		this.rate = rate;
		this.streams = streams;
		this.notifications = notifications;
		McpProperties.Limits limits = properties.limits();
		this.requestSlots = new TenantSlots(limits.requests(), limits.requestsPerTenant());
		this.spareSlots = new TenantSlots(spare(limits.requests()), spare(limits.requestsPerTenant()));
		this.chunks = McpBody.chunks(properties.maxRequestSize());
	}

	private static int spare(int requests) {
		return requests / 10 + 1;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		String refusal = foreign(request);
		if (refusal != null) {
			return refuse(HttpStatus.FORBIDDEN, refusal);
		}
		Optional<TenantContext> caller;
		try {
			caller = this.caller.get();
		}
		catch (RuntimeException ex) {
			CallerTenants.log("the MCP server", ex);
			return refuse(request.principal().isPresent() ? HttpStatus.FORBIDDEN : HttpStatus.UNAUTHORIZED,
					CallerTenants.REFUSAL.message());
		}
		request.servletRequest().setAttribute(CALLER, caller.orElse(null));
		// without a tenant, the tool rejects a call, not the protocol
		String tenant = caller.map(TenantContext::tenantId).orElse("");
		return request.method().equals(HttpMethod.POST) ? message(request, tenant, next)
				: stream(request, tenant, next);
	}

	private @Nullable String foreign(ServerRequest request) {
		HttpServletRequest servlet = request.servletRequest();
		InetSocketAddress host = request.headers().host();
		int port = (host != null && host.getPort() > 0) ? host.getPort() : servlet.isSecure() ? 443 : 80;
		return this.origins.refusal(request.headers().firstHeader(HttpHeaders.ORIGIN),
				(host != null) ? host.getHostString() : null, port, servlet.getLocalAddr());
	}

	/**
	 * Handles a request that can open an event stream.
	 */
	private ServerResponse stream(ServerRequest request, String caller, HandlerFunction<ServerResponse> next)
			throws Exception {
		ServerResponse events = plain(next.handle(request));
		if (!isEvents(events)) {
			return events;
		}
		String session = (String) request.attribute(McpCallTracking.SESSION).orElse(null);
		return new Guarded(events, (servlet, response, context) -> {
			McpStream stream = this.streams.add(caller, session, response);
			return (stream != null) ? stream.open(events, this.properties.heartbeatInterval(), servlet, context)
					: tooManyStreams().writeTo(servlet, response, context);
		});
	}

	private static boolean isEvents(ServerResponse response) {
		return MediaType.TEXT_EVENT_STREAM.equals(response.headers().getContentType());
	}

	private ServerResponse tooManyStreams() {
		McpProperties.Limits limits = this.properties.limits();
		return refuse(HttpStatus.TOO_MANY_REQUESTS,
				"%d event streams of a tenant or %d in all are open: close one of them"
					.formatted(limits.streamsPerTenant(), limits.streams()));
	}

	private ServerResponse message(ServerRequest request, String caller, HandlerFunction<ServerResponse> next)
			throws Exception {
		Optional<MediaType> type = request.headers().contentType();
		if (!type.filter(McpRequestFilter::isJson).isPresent()) {
			return refuse(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"The content type " + type.map(MediaType::toString).orElse("")
							+ " is not accepted: send messages as application/json in UTF-8");
		}
		TenantSlots.Slot free = this.requestSlots.take(caller);
		TenantSlots.Slot slot = (free != null) ? free : this.spareSlots.take(caller);
		if (slot == null) {
			return tooManyRequests();
		}
		McpBody body = new McpBody(this.properties.maxRequestSize(), this.chunks, () -> this.turns.apply(caller));
		try {
			ServerResponse refused = body.read(request);
			ServerResponse response = (refused != null) ? refused
					: inTurn(caller, () -> plain(handle(request, caller, body.content(), free == null, next)));
			return new Guarded(response, (servlet, output, context) -> {
				try (slot; body; ProcessorTurn turn = this.turns.apply(caller)) {
					return isEvents(response)
							? this.streams.answer(request.headers().firstHeader(SESSION_HEADER), output)
								.write(response, this.properties.heartbeatInterval(), servlet, context)
							: write(response, servlet, output, context);
				}
			});
		}
		catch (Exception | Error ex) {
			body.close();
			slot.close();
			throw ex;
		}
	}

	private ServerResponse inTurn(String caller, Callable<ServerResponse> work) throws Exception {
		try (ProcessorTurn turn = this.turns.apply(caller)) {
			return work.call();
		}
	}

	private static boolean isJson(MediaType type) {
		return MediaType.APPLICATION_JSON.isCompatibleWith(type)
				&& (type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8));
	}

	private ServerResponse tooManyRequests() {
		McpProperties.Limits limits = this.properties.limits();
		return refuse(HttpStatus.TOO_MANY_REQUESTS,
				("%d requests of a tenant or %d in all are in progress, or as many of the tenant as are left for others: "
						+ "wait for one of them to end")
					.formatted(limits.requestsPerTenant(), limits.requests()));
	}

	/**
	 * Writes a response, and sends it before the web server reads the rest of a refused
	 * message.
	 */
	private static @Nullable ModelAndView write(ServerResponse response, HttpServletRequest request,
			HttpServletResponse output, ServerResponse.Context context) throws ServletException, IOException {
		ModelAndView view = response.writeTo(request, output, context);
		output.flushBuffer();
		return view;
	}

	private ServerResponse handle(ServerRequest request, String caller, byte[] json, boolean spare,
			HandlerFunction<ServerResponse> next) throws Exception {
		byte[] passed = json;
		McpMessage message;
		try {
			message = McpMessage.read(this.mapper, json);
			if (spare && message.isRequest()) {
				return tooManyRequests();
			}
			if (message.method().equals(McpMessage.INITIALIZE)) {
				Optional<LimitExceeded> exceeded = this.rate.apply(caller);
				if (exceeded.isPresent()) {
					return refuse(HttpStatus.TOO_MANY_REQUESTS, exceeded.get().result().text());
				}
				passed = McpMessage.cleanInitialize(this.mapper, json);
			}
			String uri = message.uri();
			if (uri != null && message.method().equals(McpMessage.READ_RESOURCE) && McpFileUri.isFile(uri)) {
				passed = McpMessage.withUri(this.mapper, json, McpFileUri.toSingleSegment(uri));
			}
		}
		catch (IllegalArgumentException ex) {
			return refuse(HttpStatus.BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
		if (message.isNotification() && !this.notifications.contains(message.method())) {
			return ServerResponse.accepted().build();
		}
		request.param(SESSION_PARAMETER)
			.map(this.streams::calls)
			.ifPresent((cancellation) -> request.servletRequest().setAttribute(CANCELLATION, cancellation));
		int length = passed.length;
		ServerRequest read = ServerRequest.from(request)
			.headers((headers) -> headers.setContentLength(length))
			.body(passed)
			.build();
		read.attributes().put(MESSAGE, message);
		return next.handle(read);
	}

	/**
	 * Returns an error of the server without the stack trace that it would be written
	 * with, and without the message of an unexpected exception.
	 */
	private static ServerResponse plain(ServerResponse response) {
		if (!(response instanceof EntityResponse<?> entity) || !(entity.entity() instanceof McpError error)) {
			return response;
		}
		int code = (error.getJsonRpcError() != null) ? error.getJsonRpcError().code() : ErrorCodes.INTERNAL_ERROR;
		return error(response.statusCode(), code, response.statusCode().is5xxServerError()
				? "The message could not be handled" : String.valueOf(error.getMessage()));
	}

	static ServerResponse refuse(HttpStatus status, String reason) {
		return error(status, ErrorCodes.INVALID_REQUEST, reason);
	}

	private static ServerResponse error(HttpStatusCode status, int code, String message) {
		Map<String, Object> body = new LinkedHashMap<>();
		body.put("jsonrpc", "2.0");
		body.put("id", null);
		body.put("error", Map.of("code", code, "message", message));
		return ServerResponse.status(status).contentType(MediaType.APPLICATION_JSON).body(body);
	}

	/**
	 * Writes a response.
	 */
	private interface Writer {

		@Nullable ModelAndView write(HttpServletRequest request, HttpServletResponse response, ServerResponse.Context context)
				throws ServletException, IOException;

	}

	/**
	 * A response that is written within bounds.
	 *
	 * @param response the response
	 * @param writer writes it
	 */
	private record Guarded(ServerResponse response, Writer writer) implements ServerResponse {

		@Override
		public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
				throws ServletException, IOException {
			return this.writer.write(request, response, context);
		}

		@Override
		public HttpStatusCode statusCode() {
			return this.response.statusCode();
		}

		@Override
		public HttpHeaders headers() {
			return this.response.headers();
		}

		@Override
		public MultiValueMap<String, Cookie> cookies() {
			return this.response.cookies();
		}

	}

}
