package io.kairo.autoconfigure.mcp;

import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Answers requests about resources. Comes after {@link McpCallTracking}.
 *
 * @param answers the answers
 */
record McpResourceRequests(
		McpResourceAnswers answers) implements HandlerFilterFunction<ServerResponse, ServerResponse> {

	@Override
	public ServerResponse filter(ServerRequest request, HandlerFunction<ServerResponse> next) throws Exception {
		McpMessage message = (McpMessage) request.attribute(McpRequestFilter.MESSAGE).orElse(null);
		String session = (String) request.attribute(McpCallTracking.SESSION).orElse(null);
		String answer = (message != null) ? this.answers.answer(message, session) : null;
		return (answer != null) ? ServerResponse.ok().contentType(MediaType.APPLICATION_JSON).body(answer)
				: next.handle(request);
	}

}
