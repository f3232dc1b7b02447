package io.kairo.sandbox.docker;

import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.HostUser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests {@link ContainerUser}.
 */
class ContainerUserTests {

	private static final HostUser ROOT = new HostUser(0, 0);

	private static final HostUser ORDINARY = new HostUser(1000, 1000);

	@TempDir
	Path workspace;

	private SandboxRequest request() {
		return new SandboxRequest.Builder("true", this.workspace).build();
	}

	@Test
	void configuredUserIsPreferredToThatOfTheJvm() {
		assertThat(new ContainerUser(ORDINARY, ROOT).of(request())).isEqualTo(ORDINARY);
		assertThat(new ContainerUser(ORDINARY, new HostUser(5, 0)).of(request())).isEqualTo(ORDINARY);
		assertThat(new ContainerUser(null, ORDINARY).of(request())).isEqualTo(ORDINARY);
	}

	@Test
	void anotherGroupTakesThePlaceOfThatOfRoot() {
		assertThat(new ContainerUser(null, new HostUser(1000, 0)).of(request())).isEqualTo(ORDINARY);
	}

	@Test
	void rootIsRefusedForTheOwnerOfTheWorkspaceAndItsGroupReplaced() throws Exception {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: only root can give directories away").isTrue();
		ContainerUser user = new ContainerUser(null, ROOT);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> user.of(request()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
			.withMessageContaining("belongs to root");
		Files.setAttribute(this.workspace, "unix:uid", 1000);
		assertThat(user.of(request())).isEqualTo(ORDINARY);
		Files.setAttribute(this.workspace, "unix:gid", 1001);
		assertThat(user.of(request())).isEqualTo(new HostUser(1000, 1001));
	}

}
