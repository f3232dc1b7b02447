package io.kairo.mcp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Collections;
import java.util.List;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.HttpRequestHandler;

/**
 * The MCP endpoint of a servlet application. A message is handled on the thread of its
 * request, which has the authenticated principal. Safe for use by several threads.
 *
 * @param endpoint the endpoint
 */
record McpServletHandler(McpEndpoint endpoint) implements HttpRequestHandler {

	@Override
	public void handleRequest(HttpServletRequest request, HttpServletResponse response) throws IOException {
		Exchange exchange = new Exchange(request, response);
		try (McpCall call = this.endpoint.admit(exchange, this.endpoint.identify(exchange))) {
			if (exchange.method().equals("POST")) {
				call.body().read(request.getContentLengthLong(), request.getInputStream());
			}
			this.endpoint.handle(call);
		}
		catch (McpRefusedException ex) {
			this.endpoint.refuse(exchange, ex, null);
		}
	}

	/**
	 * A request and its response.
	 *
	 * @param request the request
	 * @param response the response
	 */
	private record Exchange(HttpServletRequest request, HttpServletResponse response) implements McpHttpExchange {

		@Override
		public String method() {
			return this.request.getMethod();
		}

		@Override
		public List<String> headers(String name) {
			return Collections.list(this.request.getHeaders(name));
		}

		@Override
		public boolean isSecure() {
			return this.request.isSecure();
		}

		@Override
		public String localAddress() {
			return this.request.getLocalAddr();
		}

		@Override
		public @Nullable Principal principal() {
			return this.request.getUserPrincipal();
		}

		/**
		 * Writes the response, and sends it before the web server reads the rest of a
		 * refused message.
		 */
		@Override
		public void respond(int status, @Nullable String session, byte[] json) throws IOException {
			this.response.setStatus(status);
			if (session != null) {
				this.response.setHeader(McpEndpoint.SESSION_HEADER, session);
			}
			this.response.setContentLength(json.length);
			if (json.length > 0) {
				this.response.setContentType(MediaType.APPLICATION_JSON_VALUE);
				this.response.getOutputStream().write(json);
			}
			this.response.flushBuffer();
		}

		@Override
		public McpOutput stream() {
			this.response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
			this.response.setCharacterEncoding("UTF-8");
			this.response.setHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
			if (!method().equals("GET")) {
				return new Output(this.response, null);
			}
			AsyncContext async = this.request.startAsync();
			async.setTimeout(0);
			return new Output(this.response, async);
		}

	}

	/**
	 * A stream of a response.
	 *
	 * @param response the response
	 * @param async the request that the stream outlives, null if it does not
	 */
	private record Output(HttpServletResponse response, @Nullable AsyncContext async) implements McpOutput {

		@Override
		public void write(String text) throws IOException {
			this.response.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
			this.response.flushBuffer();
		}

		@Override
		public void end() {
			if (this.async != null) {
				complete(this.async);
			}
		}

		@Override
		public void onEnd(Runnable action) {
			if (this.async != null) {
				this.async.addListener(new EndListener(action));
			}
		}

		static void complete(AsyncContext async) {
			try {
				async.complete();
			}
			catch (RuntimeException ex) {
				// the web server has ended the request meanwhile
			}
		}

	}

	/**
	 * Reports the end of a stream.
	 *
	 * @param action the action for the end
	 */
	private record EndListener(Runnable action) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			this.action.run();
		}

		/**
		 * Ends the request at once, or the web server writes an error page.
		 */
		@Override
		public void onError(AsyncEvent event) {
			this.action.run();
			Output.complete(event.getAsyncContext());
		}

		@Override
		public void onTimeout(AsyncEvent event) {
			onError(event);
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
			// the request is not dispatched again
		}

	}

}
