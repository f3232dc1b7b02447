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
 * Tests {@link CommandUser}.
 */
class CommandUserTests {

	private static final HostUser ROOT = new HostUser(0, 0);

	private static final HostUser ORDINARY = new HostUser(1000, 1000);

	@TempDir
	Path workspace;

	private SandboxRequest request() {
		return new SandboxRequest.Builder("true", this.workspace).build();
	}

	private void assertRefused(HostUser own, String finding) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> new CommandUser(null, own).of(request()))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.SETUP_FAILED))
			.withMessageContainingAll(finding, "never run as root or in its group");
	}

	@Test
	void configuredUserIsPreferredToThatOfTheJvm() {
		assertThat(new CommandUser(ORDINARY, ROOT).of(request())).isEqualTo(ORDINARY);
		assertThat(new CommandUser(ORDINARY, new HostUser(5, 0)).of(request())).isEqualTo(ORDINARY);
		assertThat(new CommandUser(null, ORDINARY).of(request())).isEqualTo(ORDINARY);
	}

	@Test
	void groupOfRootIsRefusedForTheUserOfTheJvm() {
		assertRefused(new HostUser(1000, 0), "The application runs as 1000:0");
	}

	@Test
	void rootAndItsGroupAreRefusedForTheOwnerOfTheWorkspace() throws Exception {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: only root can give directories away").isTrue();
		assertRefused(ROOT, "belongs to root");
		Files.setAttribute(this.workspace, "unix:uid", 1000);
		assertRefused(ROOT, "belongs to 1000:0");
		Files.setAttribute(this.workspace, "unix:gid", 1000);
		assertThat(new CommandUser(null, ROOT).of(request())).isEqualTo(ORDINARY);
	}

}
