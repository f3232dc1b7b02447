package io.kairo.tools.limits;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A command that runs until a test ends it.
 */
final class StartedCommand implements SandboxHandle {

	private final Sinks.One<SandboxExit> exit = Sinks.one();

	/**
	 * Starts a command in a sandbox with an interceptor around it.
	 */
	static StartedCommand of(SandboxInterceptor interceptor, String tenant) {
		StartedCommand command = new StartedCommand();
		SandboxInterceptor.around((request) -> command, List.of(interceptor)).start(request(tenant));
		return command;
	}

	static SandboxRequest request(String tenant) {
		return new SandboxRequest.Builder("true", Path.of("/")).tenant(new TenantContext(tenant, "ann")).build();
	}

	void end() {
		this.exit.tryEmitValue(new SandboxExit(0, null, false, false)).orThrow();
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return Flux.empty();
	}

	@Override
	public Mono<SandboxExit> exit() {
		return this.exit.asMono();
	}

	@Override
	public void cancel() {
		end();
	}

	@Override
	public void close() {
	}

}
