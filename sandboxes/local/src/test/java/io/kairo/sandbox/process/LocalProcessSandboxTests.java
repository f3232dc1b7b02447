package io.kairo.sandbox.process;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.process.NativeLauncher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LocalProcessSandbox} beyond the contract of every sandbox.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class LocalProcessSandboxTests {

	@RegisterExtension
	final LocalProcessFixture fixture = new LocalProcessFixture();

	private Commands commands() {
		return this.fixture.commands();
	}

	@Test
	void syntaxErrorDoesNotShowTheWrapperScript() {
		Commands.Outcome outcome = commands().run("if fi");
		assertThat(outcome.exit().exitCode()).isEqualTo(2);
		assertThat(outcome.err()).contains("fi").doesNotContain("trap").doesNotContain("pwd").doesNotContain("cgroup");
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void standardInputIsNotInheritedFromTheJvm() {
		assertThat(commands().run("readlink /proc/self/fd/0").out()).isEqualTo("/dev/null\n");
	}

	@Test
	void threadThatWaitsReadsTheOutputIfTheJvmStartsCommandsItself() {
		assertReadingThreads(true, (NativeLauncher.problem() == null) ? 0 : 2);
		assertReadingThreads(false, 2);
	}

	private void assertReadingThreads(boolean nativeCalls, int number) {
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.nativeCalls(nativeCalls)));
				SandboxHandle handle = new Commands(sandbox, this.fixture.workspace())
					.start("echo up; echo up >&2; sleep 60")) {
			// both streams are read by now
			assertThat(handle.output().map(SandboxOutputChunk::getClass).distinct().take(2).collectList().block())
				.hasSize(2);
			assertThat(Thread.getAllStackTraces().keySet())
				.filteredOn((thread) -> thread.getName().matches("kairo-std(out|err)-.*"))
				.hasSize(number);
		}
	}

	@Test
	void lineNumbersStartAtTheFirstLineOfTheCommand() {
		assertThat(commands().run("echo $LINENO\nkairo-missing").err()).contains("line 2:");
	}

	@Test
	void largeOutputTakesLittleMemory() {
		Runtime runtime = Runtime.getRuntime();
		System.gc();
		long before = runtime.totalMemory() - runtime.freeMemory();
		try (SandboxHandle handle = commands().start("yes 0123456789 | head -c 40000000")) {
			assertThat(handle.exit().block()).isEqualTo(new SandboxExit(0, null, false, true));
			assertThat(handle.discardedBytes()).isEqualTo(40_000_000 - (1 << 20));
			System.gc();
			assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(4_000_000);
		}
	}

	@Test
	void blockedWriterDelaysNeitherCancelNorExit() {
		try (SandboxHandle handle = commands().start("sleep 60",
				(request) -> request.attributes(SandboxAttributes.builder().stdin(true).build()))) {
			CompletableFuture<Throwable> writer = CompletableFuture.supplyAsync(() -> {
				try {
					handle.stdin().write(new byte[1_000_000]);
					return null;
				}
				catch (IOException ex) {
					return ex;
				}
			});
			await().pollDelay(Duration.ofMillis(100)).until(() -> !writer.isDone());
			handle.cancel();
			assertThat(handle.exit().block(Duration.ofSeconds(2)).signal()).isEqualTo(SandboxExit.CANCELLED);
			assertThat(writer.join()).isInstanceOf(IOException.class);
		}
	}

}
