package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link SandboxInterceptor}.
 */
class SandboxInterceptorTests {

	private static final SandboxRequest LS = new SandboxRequest.Builder("ls", Path.of("/project")).build();

	private final List<String> events = new ArrayList<>();

	private final RecordingSandbox sandbox = new RecordingSandbox(this.events);

	@Test
	void firstInterceptorIsOutermost() {
		start(named("outer"), named("inner"));
		assertThat(this.events).containsExactly("outer before", "inner before", "started ls", "inner after",
				"outer after");
	}

	@Test
	void sandboxWithoutInterceptorsStartsCommand() {
		assertThat(start()).isSameAs(this.sandbox.handle);
	}

	@Test
	void interceptorCanChangeRequest() {
		start((request, chain) -> chain.proceed(new SandboxRequest.Builder("pwd", request.workspaceRoot()).build()));
		assertThat(this.events).containsExactly("started pwd");
	}

	@Test
	void interceptorCanRefuseCommand() {
		SandboxInterceptor refusing = (request, chain) -> {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "not approved", "ask for approval");
		};
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> start(refusing))
			.withMessageContaining("not approved");
		assertThat(this.events).isEmpty();
	}

	@Test
	void interceptorCanProceedTwice() {
		start((request, chain) -> {
			chain.proceed(request);
			return chain.proceed(request);
		}, named("inner"));
		assertThat(this.events).containsExactly("inner before", "started ls", "inner after", "inner before",
				"started ls", "inner after");
	}

	@Test
	void interceptorSeesCapabilitiesForTenant() {
		start((request, chain) -> {
			this.events.add(chain.capabilities(request.tenant()).backend());
			return chain.proceed(request);
		});
		assertThat(this.events).containsExactly("for default", "started ls");
	}

	@Test
	void interceptedSandboxHasCapabilitiesAndTemporaryFilesOfSandbox() {
		ExecutionSandbox intercepted = SandboxInterceptor.around(this.sandbox, List.of(named("any")));
		assertThat(intercepted.capabilities().backend()).isEqualTo("recording");
		assertThat(intercepted.capabilities(new TenantContext("acme", "ann")).backend()).isEqualTo("for acme");
		assertThat(intercepted.temporaryFiles(new TenantContext("acme", "ann"), "a").target()).isEqualTo("/acme/a");
		assertThat(intercepted.sharedDirectories(new TenantContext("acme", "ann"))).containsExactly("/acme");
		try (Overlay overlay = intercepted.overlay(new TenantContext("acme", "ann"), "a", Path.of("/lower"),
				Path.of("/layer"))) {
			assertThat(overlay.directory()).hasToString("/acme/a/lower/layer");
		}
		assertThat(this.events).containsExactly("ended");
	}

	@Test
	void closeOfInterceptedSandboxClosesSandbox() throws Exception {
		((AutoCloseable) SandboxInterceptor.around(this.sandbox, List.of())).close();
		assertThat(this.events).containsExactly("closed");
	}

	@Test
	void sandboxThatIsNotCloseableCanBeUsedAfterClose() throws Exception {
		ExecutionSandbox plain = this.sandbox::start;
		ExecutionSandbox intercepted = SandboxInterceptor.around(plain, List.of());
		((AutoCloseable) intercepted).close();
		assertThat(intercepted.start(LS)).isSameAs(this.sandbox.handle);
	}

	private SandboxHandle start(SandboxInterceptor... interceptors) {
		return SandboxInterceptor.around(this.sandbox, List.of(interceptors)).start(LS);
	}

	private SandboxInterceptor named(String name) {
		return (request, chain) -> {
			this.events.add(name + " before");
			SandboxHandle handle = chain.proceed(request);
			this.events.add(name + " after");
			return handle;
		};
	}

	private static final class RecordingSandbox implements ExecutionSandbox, AutoCloseable {

		private final List<String> events;

		private final SandboxHandle handle = new EmptyHandle();

		RecordingSandbox(List<String> events) {
			this.events = events;
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			this.events.add("started " + request.command());
			return this.handle;
		}

		@Override
		public List<String> sharedDirectories(TenantContext tenant) {
			return List.of("/" + tenant.tenantId());
		}

		@Override
		public SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
			return new SessionDirectory("/" + tenant.tenantId() + "/" + sessionId, Path.of("/tmp"), () -> true);
		}

		@Override
		public Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
			return new Overlay(Path.of("/" + tenant.tenantId() + "/" + sessionId + lower + layer), () -> true,
					() -> this.events.add("ended"));
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.none("recording");
		}

		@Override
		public SandboxCapabilities capabilities(TenantContext tenant) {
			return SandboxCapabilities.none("for " + tenant.tenantId());
		}

		@Override
		public void close() {
			this.events.add("closed");
		}

	}

	private static final class EmptyHandle implements SandboxHandle {

		@Override
		public Flux<SandboxOutputChunk> output() {
			return Flux.empty();
		}

		@Override
		public Mono<SandboxExit> exit() {
			return Mono.empty();
		}

		@Override
		public void cancel() {
		}

		@Override
		public void close() {
		}

	}

}
