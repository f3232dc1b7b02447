package io.kairo.sandbox.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Random;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.transcript.CommandTranscript;
import io.kairo.sandbox.support.transcript.TranscriptLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the {@link CommandTranscript} of a process that runs in the background: it can be
 * given input, awaited and ended.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class ProcessTranscriptTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	@RegisterExtension
	final LocalProcessFixture fixture = new LocalProcessFixture();

	@Test
	void transcriptAllowsAConversationWithAShell() throws Exception {
		SandboxRequest request = new SandboxRequest.Builder(
				"while printf 'name> ' && read n; do echo hello $n; done; exit 3", this.fixture.workspace())
			.attributes(SandboxAttributes.builder().stdin(true).build())
			.build();
		try (SandboxHandle handle = this.fixture.sandbox().start(request);
				CommandTranscript transcript = new CommandTranscript(handle, request)) {
			long cursor = 0;
			for (String name : new String[] { "Ada", "Zo\u00eb" }) {
				cursor = transcript.awaitLine(cursor, (line) -> line.endsWith("> "), LONG).orElseThrow().nextCursor();
				assertThat(transcript.awaitOutput(cursor, Duration.ofMillis(20))).isFalse();
				handle.stdin().write((name + "\n").getBytes(StandardCharsets.UTF_8));
				TranscriptLine answer = transcript.awaitLine(cursor, ("hello " + name)::equals, LONG).orElseThrow();
				cursor = answer.nextCursor();
			}
			assertThat(transcript.awaitExit(Duration.ZERO)).isEmpty();
			handle.stdin().close();
			assertThat(transcript.awaitExit(LONG)).contains(new SandboxExit(3, null, false, false));
			assertThat(transcript.read(0, 1000).text()).isEqualTo("name> hello Ada\nname> hello Zo\u00eb\nname> ");
		}
	}

	@Test
	void cancelEndsTheWaitForALineAndKeepsTheOutput() throws Exception {
		SandboxRequest request = new SandboxRequest.Builder("echo up; sleep 60", this.fixture.workspace()).build();
		try (SandboxHandle handle = this.fixture.sandbox().start(request);
				CommandTranscript transcript = new CommandTranscript(handle, request)) {
			assertThat(transcript.awaitLine(0, "up"::equals, LONG)).isPresent();
			handle.cancel();
			assertThat(transcript.awaitLine(3, (line) -> true, LONG)).isEmpty();
			assertThat(transcript.awaitExit(LONG).orElseThrow().signal()).isEqualTo(SandboxExit.CANCELLED);
			assertThat(transcript.read(0, 100).complete()).isTrue();
			assertThat(transcript.read(0, 100).text()).isEqualTo("up\n");
		}
	}

	@Test
	void pageOfACommandThatPrintsWithoutEndIsNotAwaited() throws Exception {
		SandboxRequest request = new SandboxRequest.Builder("while :; do echo x; sleep 0.01; done",
				this.fixture.workspace())
			.timeout(Duration.ofMinutes(10))
			.build();
		try (SandboxHandle handle = this.fixture.sandbox().start(request);
				CommandTranscript transcript = new CommandTranscript(handle, request)) {
			assertThat(transcript.awaitOutput(0, LONG)).isTrue();
			assertThat(transcript.read(0, 64 * 1024).text()).startsWith("x\n");
			assertThat(transcript.awaitExit(Duration.ZERO)).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void earlyLateAndRepeatedSubscribersReceiveAllOutput(long seed) throws Exception {
		byte[] data = new byte[700_000];
		new Random(seed).nextBytes(data);
		Files.write(this.fixture.workspace().resolve("data"), data);
		SandboxRequest request = new SandboxRequest.Builder("cat data; cat data >&2", this.fixture.workspace())
			.maxOutputBytes(2_000_000)
			.build();
		try (SandboxHandle handle = this.fixture.sandbox().start(request)) {
			var early = handle.output().collectList().toFuture();
			assertThat(handle.exit().block().exitCode()).isZero();
			for (int i = 0; i < 2; i++) {
				assertThat(Commands.output(handle, SandboxOutputChunk.Stdout.class)).as("seed " + seed).isEqualTo(data);
				assertThat(Commands.output(handle, SandboxOutputChunk.Stderr.class)).as("seed " + seed).isEqualTo(data);
			}
			ByteArrayOutputStream all = new ByteArrayOutputStream();
			early.join().forEach((chunk) -> all.writeBytes(chunk.data()));
			assertThat(all.size()).isEqualTo(2 * data.length);
		}
	}

}
