package io.kairo.sandbox.docker;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.tck.AccessGrantingSandbox;
import io.kairo.sandbox.backend.BackendProblem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests engines whose settings weaken containers, or keep commands from their files.
 */
@RequiresDocker
@Timeout(180)
class EngineSettingsTests {

	/** A runtime that does not apply the filter of the engine. */
	private static final String UNFILTERED = """
			#!/bin/sh
			for each; do
				[ "$last" != --bundle ] || perl -MJSON::PP -0777 -pi -e \
					'$_ = decode_json($_); delete $_->{linux}{seccomp}; $_ = encode_json($_)' "$each/config.json"
				last=$each
			done
			exec runc "$@"
			""";

	@TempDir
	Path temp;

	@BeforeEach
	void requireRoot() {
		assumeThat(TestContainers.isRoot()).as("SKIPPED: only root can start an engine").isTrue();
	}

	private static DockerSandbox sandbox(OwnEngine engine, DockerOptions.Workspaces workspaces) {
		return new DockerSandbox(TestContainers.options()
			.with((changes) -> changes.host(engine.address())
				.workspaces(workspaces)
				.maxCopyBytes(DockerOptions.DEFAULT_MAX_COPY_BYTES)));
	}

	@Test
	void engineThatDoesNotFilterSystemCallsIsNotUsed() throws Exception {
		Path runtime = this.temp.resolve("unfiltered");
		Files.writeString(runtime, UNFILTERED);
		Files.setPosixFilePermissions(runtime, PosixFilePermissions.fromString("rwxr-xr-x"));
		try (OwnEngine engine = OwnEngine.start("\"runtimes\": {\"unfiltered\": {\"path\": \"" + runtime + "\"}}",
				"\"default-runtime\": \"unfiltered\"")) {
			engine.copyImage(TestContainers.IMAGE);
			try (DockerSandbox sandbox = sandbox(engine, DockerOptions.Workspaces.AUTO)) {
				assertThat(sandbox.problem()).isNotNull().satisfies((problem) -> {
					assertThat(problem.code()).isEqualTo(Reason.CANARY_FAILED.code());
					assertThat(problem.finding()).contains("Seccomp: 0", "filter");
				});
			}
		}
	}

	@Test
	void engineThatMapsUsersGetsCopies() throws Exception {
		Path workspace = Files.createDirectory(this.temp.toRealPath().resolve("workspace"));
		AccessGrantingSandbox.grantAccess(workspace, TestContainers.NOBODY.uid());
		try (OwnEngine engine = OwnEngine.start("\"userns-remap\": \"nobody:nogroup\"")) {
			engine.copyImage(TestContainers.IMAGE);
			try (DockerSandbox sandbox = sandbox(engine, DockerOptions.Workspaces.MOUNT)) {
				assertThat(sandbox.problem()).isNotNull().satisfies((problem) -> {
					assertThat(problem.code()).isEqualTo(Reason.FILES_NOT_SHARED.code());
					assertThat(problem.finding()).contains("65534", "maps users");
				});
			}
			try (DockerSandbox sandbox = sandbox(engine, DockerOptions.Workspaces.AUTO)) {
				assertThat(sandbox.problem()).isNull();
				try (SandboxHandle handle = sandbox
					.start(new SandboxRequest.Builder("echo > proof", workspace).build())) {
					assertThat(Objects.requireNonNull(handle.exit().block(Duration.ofSeconds(30))).exitCode()).isZero();
				}
				assertThat(workspace.resolve("proof")).exists();
			}
		}
	}

}
