package io.kairo.sandbox.remote.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxException;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * The requests of the API, as described in {@code sandbox-api.yaml}.
 *
 * @param sandbox the sandbox
 * @param authentication finds the client of a request
 * @param scheduler runs requests that may wait
 */
record Routes(ServedSandbox sandbox, Authentication authentication, Scheduler scheduler) {

	private static final Logger logger = System.getLogger(Routes.class.getName());

	private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

	private static final Set<String> COUNTED = Set.of("leases", "commands", "copies");

	private static final int MOST_BYTES = 4 << 20;

	private static final Duration END = Duration.ofSeconds(2);

	/**
	 * Answers a request.
	 */
	Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response) {
		try {
			RemoteClient client = this.authentication.client(request);
			QueryStringDecoder uri = new QueryStringDecoder(request.uri());
			List<String> path = List.of(uri.path().substring(1).split("/", -1));
			String route = request.method() + " " + route(path);
			Call call = new Call(client, request, response, uri, path);
			return route(route, call).onErrorResume((failure) -> refuse(response, failure));
		}
		catch (RuntimeException ex) {
			return refuse(response, ex);
		}
	}

	private static String route(List<String> path) {
		StringBuilder route = new StringBuilder();
		for (int i = 0; i < path.size(); i++) {
			boolean variable = i > 0 && COUNTED.contains(path.get(i - 1));
			route.append('/').append(variable ? "*" : path.get(i));
		}
		return route.toString();
	}

	private Mono<Void> route(String route, Call call) {
		return switch (route) {
			case "GET /v1/capabilities" ->
				answer(call, 200, () -> this.sandbox.capabilities(call.client(), call.parameter("tenant", "")));
			case "POST /v1/leases" -> answer(call, 201, () -> this.sandbox.newLease(call.client()));
			case "PUT /v1/leases/*" -> answer(call, 200, () -> this.sandbox.renew(call.client(), call.path().get(2)));
			case "DELETE /v1/leases/*" -> done(call, () -> {
				this.sandbox.endLease(call.client(), call.path().get(2));
				return call;
			});
			case "PUT /v1/leases/*/commands/*" -> body(call).flatMap((body) -> start(call, body));
			case "GET /v1/leases/*/commands/*/output" -> output(call);
			case "PUT /v1/leases/*/commands/*/input" ->
				body(call).flatMap((body) -> done(call, () -> input(call, body)));
			case "POST /v1/leases/*/commands/*/cancel" ->
				blocking(() -> call.command(this.sandbox).cancel()).flatMap((exit) -> exit.timeout(END, Mono.empty()))
					.then(Mono.defer(() -> empty(call, 204)));
			case "DELETE /v1/leases/*/commands/*" -> done(call, () -> {
				call.lease(this.sandbox).close(call.number());
				return call;
			});
			default -> {
				Mono<Void> copies = new CopyRoutes(this.sandbox, this).route(route, call);
				yield (copies != null) ? copies : Mono.error(new RefusedRequestException(ErrorMessage.INVALID_REQUEST,
						"There is no " + call.request().method() + " of this path", "use the paths of the API"));
			}
		};
	}

	private Mono<Void> start(Call call, byte[] body) {
		return blocking(() -> this.sandbox.start(call.client(), call.path().get(2), call.number(),
				Messages.read(body, StartMessage.class)))
			.flatMap((first) -> empty(call, first ? 201 : 200));
	}

	private Call input(Call call, byte[] body) throws IOException {
		call.command(this.sandbox)
			.input(call.number("from"), body, Boolean.parseBoolean(call.parameter("end", "false")));
		return call;
	}

	private Mono<Void> output(Call call) {
		long from = call.number("from");
		return blocking(() -> call.command(this.sandbox)).flatMap((command) -> call.response()
			.status(200)
			.header("Content-Type", "application/octet-stream")
			.send(command.frames(from).map(Unpooled::wrappedBuffer), (frame) -> true)
			.then());
	}

	static Mono<byte[]> body(Call call) {
		return call.request()
			.receive()
			.asByteArray()
			.reduceWith(ByteArrayOutputStream::new, Routes::append)
			.map(ByteArrayOutputStream::toByteArray);
	}

	private static ByteArrayOutputStream append(ByteArrayOutputStream body, byte[] part) {
		if (body.size() + part.length > MOST_BYTES) {
			throw tooLong();
		}
		body.writeBytes(part);
		return body;
	}

	private static RefusedRequestException tooLong() {
		return new RefusedRequestException(ErrorMessage.INVALID_REQUEST,
				"The request has over " + MOST_BYTES + " bytes", "send input in smaller parts");
	}

	private Mono<Void> answer(Call call, int status, Callable<?> action) {
		return blocking(action).flatMap((result) -> json(call.response(), status, Messages.write(result)));
	}

	Mono<Void> done(Call call, Callable<?> action) {
		return blocking(action).then(Mono.defer(() -> empty(call, 204)));
	}

	<T> Mono<T> blocking(Callable<T> action) {
		return Mono.fromCallable(action).subscribeOn(this.scheduler);
	}

	private static Mono<Void> empty(Call call, int status) {
		return call.response().status(status).send();
	}

	static Mono<Void> json(HttpServerResponse response, int status, byte[] body) {
		return response.status(status).header("Content-Type", "application/json").sendByteArray(Mono.just(body)).then();
	}

	private static Mono<Void> refuse(HttpServerResponse response, Throwable failure) {
		if (response.hasSentHeaders()) {
			return Mono.error(failure);
		}
		RefusedRequestException refused = refusal(failure);
		return json(response, refused.status(), Messages.write(refused.error()));
	}

	private static RefusedRequestException refusal(Throwable failure) {
		if (failure instanceof RefusedRequestException refused) {
			return refused;
		}
		if (failure instanceof SandboxException ex) {
			return new RefusedRequestException(new ErrorMessage(ex.code().code(), ex.problem(), ex.remedy()), ex);
		}
		if (failure instanceof IllegalArgumentException ex) {
			return RefusedRequestException.invalid(ex);
		}
		if (failure instanceof IOException) {
			return new RefusedRequestException(
					new ErrorMessage("input_ended", "The command reads no more input", "send none"), failure);
		}
		Level level = AbortedException.isConnectionReset(failure) ? Level.DEBUG : Level.WARNING;
		logger.log(level, "A request failed", failure);
		return new RefusedRequestException(
				new ErrorMessage("internal_error", "The worker failed", "see its log for the reason"), failure);
	}

	/**
	 * A request.
	 *
	 * @param client the client that sent it
	 * @param request the request
	 * @param response its response
	 * @param uri the path and the parameters
	 * @param path the names of the path
	 */
	record Call(RemoteClient client, HttpServerRequest request, HttpServerResponse response, QueryStringDecoder uri,
			List<String> path) {

		String parameter(String name, String otherwise) {
			List<String> values = this.uri.parameters().getOrDefault(name, List.of());
			return values.isEmpty() ? otherwise : values.get(0);
		}

		long number(String parameter) {
			return number(parameter, parameter(parameter, "0"));
		}

		/**
		 * Returns the number of the command or copy.
		 */
		long number() {
			return number("command", this.path.get(4));
		}

		private static long number(String name, String text) {
			if (!NUMBER.matcher(text).matches()) {
				throw new RefusedRequestException(ErrorMessage.INVALID_REQUEST,
						"The value '" + text + "' of '" + name + "' is not a number", "give one from 0 on");
			}
			return Long.parseLong(text);
		}

		Lease lease(ServedSandbox sandbox) {
			return sandbox.lease(this.client, this.path.get(2));
		}

		ServedCommand command(ServedSandbox sandbox) {
			return lease(sandbox).command(number());
		}

	}

}
