package io.kairo.sandbox.remote.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.kairo.sandbox.remote.protocol.ChangesMessage;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.MissingMessage;
import io.kairo.sandbox.remote.protocol.WantedMessage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The requests of the API for copies of directories.
 *
 * @param sandbox the sandbox
 * @param routes answers requests
 */
record CopyRoutes(ServedSandbox sandbox, Routes routes) {

	/** A client asks again after that. */
	private static final Duration LONGEST = Duration.ofSeconds(5);

	/**
	 * Answers a request.
	 * @return null if it is another one
	 */
	@Nullable Mono<Void> route(String route, Routes.Call call) {
		return switch (route) {
			case "PUT /v1/leases/*/copies/*" -> Routes.body(call)
				.flatMap((body) -> this.routes.blocking(() -> prepare(call, body)))
				.flatMap((preparation) -> answer(call, preparation, new MissingMessage(List.of(), false)));
			case "PUT /v1/leases/*/copies/*/content" ->
				Routes.body(call).flatMap((body) -> this.routes.done(call, () -> {
					copy(call).receive(body);
					return call;
				}));
			case "GET /v1/leases/*/copies/*/changes" -> this.routes.blocking(() -> copy(call).changes())
				.flatMap((changes) -> answer(call, changes, ChangesMessage.PENDING));
			case "POST /v1/leases/*/copies/*/content" -> Routes.body(call)
				.flatMap(
						(body) -> this.routes.blocking(() -> copy(call).read(Messages.read(body, WantedMessage.class))))
				.flatMap((pieces) -> call.response()
					.header("Content-Type", "application/octet-stream")
					.sendByteArray(Mono.just(pieces))
					.then());
			default -> null;
		};
	}

	private CompletableFuture<MissingMessage> prepare(Routes.Call call, byte[] body) {
		return this.sandbox
			.copy(call.client(), call.path().get(2), call.number(), Messages.read(body, CopyMessage.class))
			.prepare();
	}

	private ServedCopy copy(Routes.Call call) {
		return call.lease(this.sandbox).copy(call.number());
	}

	/**
	 * Answers with a result, or soon with another one if it takes longer.
	 */
	private static <T> Mono<Void> answer(Routes.Call call, CompletableFuture<T> result, T otherwise) {
		return Mono.fromFuture(result, true)
			.timeout(LONGEST, Mono.just(otherwise))
			.flatMap((message) -> Routes.json(call.response(), 200, Messages.write(message)));
	}

}
