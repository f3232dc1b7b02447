package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SandboxInterceptorPostProcessor}.
 */
class SandboxInterceptorPostProcessorTests {

	private static final SandboxInterceptor REFUSING = (request, chain) -> {
		throw new IllegalStateException("refused in front of " + chain.capabilities(request.tenant()).backend());
	};

	private final SandboxRequest request = new SandboxRequest.Builder("true", Path.of("/")).build();

	private final DescribingSandbox sandbox = (DescribingSandbox) new SandboxInterceptorPostProcessor(
			() -> List.of(REFUSING))
		.postProcessAfterInitialization(new DescribingSandbox(), "sandbox");

	@Test
	void otherMethodsOfSandboxAreNotIntercepted() {
		assertThat(this.sandbox.describe(this.request)).isEqualTo("true");
	}

	@Test
	void interceptedSandboxKeepsItsType() {
		assertThatIllegalStateException().isThrownBy(() -> this.sandbox.start(this.request))
			.withMessage("refused in front of DescribingSandbox");
		ExecutionSandbox contract = this.sandbox;
		assertThatIllegalStateException().isThrownBy(() -> contract.start(this.request));
		assertThat(contract.capabilities().backend()).isEqualTo("DescribingSandbox");
	}

	static class DescribingSandbox implements ExecutionSandbox {

		public String describe(SandboxRequest request) {
			return request.command();
		}

		@Override
		public SandboxHandle start(SandboxRequest request) {
			throw new IllegalStateException("not intercepted");
		}

	}

}
