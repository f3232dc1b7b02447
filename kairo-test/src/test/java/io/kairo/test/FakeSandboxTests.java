package io.kairo.test;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FakeSandbox}.
 */
class FakeSandboxTests {

	private final FakeSandbox sandbox = new FakeSandbox();

	@Test
	void commandReceivesItsAnswersInTurnAndThenTheLast() {
		this.sandbox.answer("mvn test", FakeAnswer.exit(1, "FAILED"), FakeAnswer.ok("OK"));
		assertThat(List.of(run("mvn test"), run("mvn test"), run("mvn test"))).containsExactly("1 FAILED", "0 OK",
				"0 OK");
		assertThat(this.sandbox.commands()).containsExactly("mvn test", "mvn test", "mvn test");
	}

	@Test
	void laterAnswerTakesPrecedence() {
		this.sandbox.answerMatching(Pattern.compile("^git "), FakeAnswer.ok("any"))
			.answer("git status", FakeAnswer.ok("clean"));
		assertThat(run("git log")).isEqualTo("0 any");
		assertThat(run("git status")).isEqualTo("0 clean");
	}

	@Test
	void commandWithoutAnswerIsNotFound() {
		assertThat(run("make")).startsWith("127 FakeSandbox has no answer");
		assertThat(this.sandbox.unanswered()).containsExactly("make");
	}

	@Test
	void functionMayRefuseRequest() {
		this.sandbox.answerWith((request) -> true, (request) -> {
			throw new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE, "There is no worker", "start one");
		});
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> run("ls"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE));
	}

	@Test
	void runningCommandEndsWhenItIsCancelled() {
		this.sandbox.answer("serve", FakeAnswer.running("listening"));
		SandboxHandle handle = this.sandbox.start(request("serve").build());
		assertThat(handle.output().next().map(FakeSandboxTests::text).block()).isEqualTo("listening");
		assertThat(handle.exit().toFuture()).isNotDone();
		handle.cancel();
		assertThat(exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
		assertThat(output(handle)).isEqualTo("listening");
	}

	@Test
	void timeoutIsReportedAtOnce() {
		this.sandbox.answer("sleep 60", FakeAnswer.timedOut(""));
		assertThat(exit(this.sandbox.start(request("sleep 60").build())).timedOut()).isTrue();
	}

	@Test
	void outputIsBoundedAsRequested() {
		this.sandbox.answer("cat", FakeAnswer.ok("0123456789").withStderr("abcdef"));
		SandboxHandle handle = this.sandbox.start(
				request("cat").maxOutputBytes(4).attributes(SandboxAttributes.builder().tailBytes(8).build()).build());
		assertThat(output(handle)).isEqualTo("0123" + "89" + "abcdef");
		assertThat(handle.discardedBytes()).isEqualTo(4);
		assertThat(handle.outputBytes()).isEqualTo(16);
		assertThat(exit(handle).truncated()).isTrue();
	}

	@Test
	void errorOutputIsRedirectedOnRequest() {
		this.sandbox.answer("cat", FakeAnswer.exit(1, "").withStderr("no such file"));
		SandboxRequest both = request("cat").attributes(SandboxAttributes.builder().redirectErrorStream(true).build())
			.build();
		assertThat(this.sandbox.start(both).output().blockFirst()).isInstanceOf(SandboxOutputChunk.Stdout.class);
		assertThat(this.sandbox.start(request("cat").build()).output().blockFirst())
			.isInstanceOf(SandboxOutputChunk.Stderr.class);
	}

	@Test
	void resetForgetsAnswersAndCommands() {
		this.sandbox.answer("ls", FakeAnswer.ok("a"));
		run("ls");
		this.sandbox.reset();
		assertThat(this.sandbox.requests()).isEmpty();
		assertThat(run("ls")).startsWith("127 ");
	}

	private String run(String command) {
		try (SandboxHandle handle = this.sandbox.start(request(command).build())) {
			return exit(handle).exitCode() + " " + output(handle);
		}
	}

	private static SandboxRequest.Builder request(String command) {
		return new SandboxRequest.Builder(command, Path.of("/memory/default"));
	}

	private static SandboxExit exit(SandboxHandle handle) {
		return Mono.from(handle.exit()).blockOptional().orElseThrow();
	}

	private static String output(SandboxHandle handle) {
		return String.join("", handle.output().map(FakeSandboxTests::text).toIterable());
	}

	private static String text(SandboxOutputChunk chunk) {
		return new String(chunk.data(), StandardCharsets.UTF_8);
	}

}
