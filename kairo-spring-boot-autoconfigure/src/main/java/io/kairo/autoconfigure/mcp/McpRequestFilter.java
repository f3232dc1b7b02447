package io.kairo.autoconfigure.mcp;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.session.ProcessorTurn;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

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

	static final String REQUEST_ID = McpRequestFilter.class.getName() + ".requestId";

	static final String CANCELLATION = McpRequestFilter.class.getName() + ".cancellation";

	static final String SESSION_HEADER = "Mcp-Session-Id";

	/** Of a message to the SSE endpoint. */
	private static final String SESSION_PARAMETER = "sessionId";

	private final McpGuard guard;

	private final Supplier<Optional<TenantContext>> caller;

	private final McpStreams streams;

	/**
	 * Creates the filter of an endpoint.
	 * @param guard the rules of the endpoint
	 * @param caller supplies the caller, empty if a tenant is required and there is none;
	 * throws an exception if the principal belongs to no tenant
	 */
	McpRequestFilter(McpGuard guard, Supplier<Optional<TenantContext>> caller, McpStreams streams) {
		this.guard = guard;
		this.caller = caller;
		this.streams = streams;
	}

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		try {
			return guarded(request, next);
		}
		catch (McpRefusedException ex) {
			return refuse(ex);
		}
	}

	private ServerResponse guarded(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		HttpServletRequest servlet = request.servletRequest();
		this.guard.requireOwnOrigin(request.headers().firstHeader(HttpHeaders.ORIGIN), request.headers().host(),
				servlet.isSecure(), servlet.getLocalAddr());
		Optional<TenantContext> caller;
		try {
			caller = this.caller.get();
		}
		catch (RuntimeException ex) {
			CallerTenants.log("the MCP server", ex);
			throw new McpRefusedException(
					request.principal().isPresent() ? HttpStatus.FORBIDDEN : HttpStatus.UNAUTHORIZED,
					CallerTenants.REFUSAL.message());
		}
		servlet.setAttribute(CALLER, caller.orElse(null));
		// without a tenant, the tool rejects a call, not the protocol
		String tenant = caller.map(TenantContext::tenantId).orElse("");
		return request.method().equals(HttpMethod.POST) ? message(request, tenant, next)
				: stream(request, tenant, next);
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
			return (stream != null) ? stream.open(events, this.guard.properties().heartbeatInterval(), servlet, context)
					: refuse(McpRefusedException.tooManyStreams(this.guard.properties().limits())).writeTo(servlet,
							response, context);
		});
	}

	private static boolean isEvents(ServerResponse response) {
		return MediaType.TEXT_EVENT_STREAM.equals(response.headers().getContentType());
	}

	private ServerResponse message(ServerRequest request, String caller, HandlerFunction<ServerResponse> next)
			throws Exception {
		this.guard.requireJson(request.headers().contentType());
		McpGuard.Admission admission = this.guard.admit(caller);
		try {
			ServerResponse response = readAndHandle(request, admission, next);
			return new Guarded(response, (servlet, output, context) -> {
				try (admission; ProcessorTurn turn = this.guard.turn(caller)) {
					return isEvents(response)
							? this.streams.answer(request.headers().firstHeader(SESSION_HEADER), output)
								.write(response, this.guard.properties().heartbeatInterval(), servlet, context)
							: write(response, servlet, output, context);
				}
			});
		}
		catch (Exception | Error ex) {
			admission.close();
			throw ex;
		}
	}

	private ServerResponse readAndHandle(ServerRequest request, McpGuard.Admission admission,
			HandlerFunction<ServerResponse> next) throws Exception {
		try {
			admission.body()
				.read(request.headers().contentLength().orElse(0), request.servletRequest().getInputStream());
			return inTurn(admission.tenant(), () -> plain(handle(request, admission, next)));
		}
		catch (McpRefusedException ex) {
			return refuse(ex);
		}
	}

	private ServerResponse inTurn(String caller, Callable<ServerResponse> work) throws Exception {
		try (ProcessorTurn turn = this.guard.turn(caller)) {
			return work.call();
		}
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

	private ServerResponse handle(ServerRequest request, McpGuard.Admission admission,
			HandlerFunction<ServerResponse> next) throws Exception {
		McpGuard.Passed passed = this.guard.check(admission);
		if (passed == null) {
			return ServerResponse.accepted().build();
		}
		request.param(SESSION_PARAMETER)
			.map(this.streams::calls)
			.ifPresent((cancellation) -> request.servletRequest().setAttribute(CANCELLATION, cancellation));
		request.servletRequest().setAttribute(REQUEST_ID, passed.message().requestId());
		int length = passed.content().length;
		ServerRequest read = ServerRequest.from(request)
			.headers((headers) -> headers.setContentLength(length))
			.body(passed.content())
			.build();
		read.attributes().put(MESSAGE, passed.message());
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
		return respond(response.statusCode(),
				McpRefusedException.body(response.statusCode(), code, String.valueOf(error.getMessage())));
	}

	private static ServerResponse refuse(McpRefusedException refusal) {
		return respond(refusal.status(), refusal.body());
	}

	private static ServerResponse respond(HttpStatusCode status, Map<String, Object> body) {
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
