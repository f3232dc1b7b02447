package io.kairo.api.sandbox.tck;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for concurrent commands. They do not see each other and release their
 * resources.
 */
abstract class SideBySideScenarios {

	abstract Trial trial();

	@Test
	void concurrentCommandsAreIsolated(@TempDir Path workspaces) throws Exception {
		int commands = Trial.rounds(16, 50);
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < commands; i++) {
			Path workspace = Files.createDirectory(workspaces.resolve("w" + i));
			handles.add(trial().sandbox()
				.start(new SandboxRequest.Builder(
						"for i in 1 2; do echo $N; echo e$N >&2; sleep 0.1; done; echo $N > own; exit $N", workspace)
					.env(Map.of("N", "" + i))
					.tenant(new TenantContext("tenant" + i, "principal"))
					.build()));
		}
		for (int i = 0; i < commands; i++) {
			SandboxHandle handle = handles.get(i);
			assertThat(Trial.exit(handle).exitCode()).isEqualTo(i);
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class)))
				.isEqualTo((i + "\n").repeat(2));
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stderr.class)))
				.isEqualTo(("e" + i + "\n").repeat(2));
			assertThat(workspaces.resolve("w" + i).resolve("own")).hasContent(i + "\n");
			handle.close();
		}
	}

	@Test
	void commandsRunInParallel() {
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < 8; i++) {
			handles.add(trial().start("echo up; sleep 600"));
		}
		handles.forEach((handle) -> assertThat(handle.output().blockFirst(Trial.PATIENCE)).isNotNull());
		assertThat(handles).allSatisfy((handle) -> assertThat(handle.exit().toFuture()).isNotDone());
		handles.forEach(SandboxHandle::cancel);
		handles.forEach((handle) -> assertThat(Trial.exit(handle).exitCode()).isEqualTo(-1));
		handles.forEach(SandboxHandle::close);
	}

	@Test
	void endOfOneCommandDoesNotEndAnother() {
		try (SandboxHandle first = trial().start("sleep 60");
				SandboxHandle second = trial().start("sleep 0.5; echo done")) {
			first.cancel();
			assertThat(Trial.exit(first).exitCode()).isEqualTo(-1);
			assertThat(Trial.exit(second).exitCode()).isZero();
		}
	}

	@Test
	void closedHandlesReleaseTheirResources() {
		// resources kept for long output belong to the sandbox, not to a command
		trial().run("head -c 1000000 /dev/zero", (request) -> request.maxOutputBytes(2_000_000));
		ResourceLevel before = ResourceLevel.steady();
		for (int i = 0; i < Trial.rounds(12, 60); i++) {
			switch (i % 4) {
				case 0 -> trial().run("echo hi; sleep 0.001 &");
				case 1 -> trial().run("head -c 1000000 /dev/zero", (request) -> request.maxOutputBytes(2_000_000));
				case 2 -> trial().start("sleep 60").close();
				default -> trial().run("sleep 60", (request) -> request.timeout(Duration.ofMillis(20)));
			}
		}
		before.awaitAgain();
	}

	@Test
	void unclosedHandleReleasesItsResourcesAfterTheTimeout() {
		trial().run("true");
		ResourceLevel before = ResourceLevel.steady();
		SandboxHandle handle = trial().start("sleep 60", (request) -> request.timeout(Duration.ofMillis(200)));
		assertThat(Trial.exit(handle).timedOut()).isTrue();
		before.awaitAgain();
	}

	@Test
	void refusedRequestsReleaseTheirResources() {
		trial().run("true");
		ResourceLevel before = ResourceLevel.steady();
		for (int i = 0; i < 50; i++) {
			trial().assertRefused(SandboxErrorCode.INVALID_COMMAND, "\0", (request) -> request);
		}
		before.awaitAgain();
	}

	@Test
	void abandonedSubscribersEndWithTheHandle() {
		trial().run("true");
		ResourceLevel before = ResourceLevel.steady();
		SandboxHandle handle = trial().start("sleep 60");
		for (int i = 0; i < 10; i++) {
			handle.output().subscribe();
		}
		handle.close();
		before.awaitAgain();
	}

}
