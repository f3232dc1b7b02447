package io.kairo.api.workspace;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link WorkspaceProviderRegistration}.
 */
class WorkspaceProviderRegistrationTests {

	private final WorkspaceProvider provider = new NoWorkspaces();

	private final WorkspaceFilesFactory files = (workspace) -> {
		throw new UnsupportedOperationException();
	};

	@ParameterizedTest
	@ValueSource(strings = { "git", "s3", "memory", "git+ssh", "my.store", "x-y" })
	void schemesOfTheUsualFormAreAccepted(String scheme) {
		WorkspaceProviderRegistration registration = new WorkspaceProviderRegistration(scheme, this.provider,
				this.files);
		assertThat(registration.scheme()).isEqualTo(scheme);
		assertThat(registration.provider()).isSameAs(this.provider);
		assertThat(registration.files()).isSameAs(this.files);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "c", "C", "Git", "3s", "+x", "git:", "gi t", "gît", "git/" })
	void otherSchemesAreRefusedWithTheirName(String scheme) {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new WorkspaceProviderRegistration(scheme, this.provider, this.files))
			.withMessageContaining("'" + scheme + "'");
	}

	@Test
	void nullIsRefused() {
		assertThatNullPointerException()
			.isThrownBy(() -> new WorkspaceProviderRegistration(null, this.provider, this.files));
		assertThatNullPointerException().isThrownBy(() -> new WorkspaceProviderRegistration("git", null, this.files));
		assertThatNullPointerException()
			.isThrownBy(() -> new WorkspaceProviderRegistration("git", this.provider, null));
	}

	private static final class NoWorkspaces implements WorkspaceProvider {

		@Override
		public Workspace acquire(WorkspaceRequest request) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void release(String workspaceId) {
		}

	}

}
