package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for the retained output of a command.
 */
abstract class OutputScenarios {

	private static final SandboxExit SUCCESS = new SandboxExit(0, null, false, false);

	private static final SandboxExit TRUNCATED = new SandboxExit(0, null, false, true);

	abstract Trial trial();

	@Test
	void bothStreamsAreRetainedByteForByte() throws IOException {
		byte[] out = random(900_000, 11);
		byte[] err = random(700_001, 12);
		Files.write(trial().workspace().resolve("out"), out);
		Files.write(trial().workspace().resolve("err"), err);
		Outcome outcome = trial().run("cat err >&2 & cat out; wait", (request) -> request.maxOutputBytes(1_600_001));
		assertThat(outcome.exit()).isEqualTo(SUCCESS);
		assertThat(outcome.stdout()).isEqualTo(out);
		assertThat(outcome.stderr()).isEqualTo(err);
		assertThat(outcome.discarded()).isZero();
	}

	@Test
	void bothStreamsAreOneInTheOrderOfWritingOnRequest() {
		SandboxAttributes attributes = SandboxAttributes.builder().redirectErrorStream(true).build();
		Outcome outcome = trial().run(
				"i=0; while [ $i -lt 300 ]; do echo $i; i=$((i+1)); echo $i >&2; i=$((i+1)); done; nonsense$$; echo end",
				(request) -> request.attributes(attributes));
		List<String> lines = new String(outcome.stdout(), StandardCharsets.UTF_8).lines().toList();
		assertThat(lines.subList(0, 300)).isEqualTo(IntStream.range(0, 300).mapToObj(Integer::toString).toList());
		assertThat(lines.get(300)).contains("nonsense");
		assertThat(lines).endsWith("end").hasSize(302);
		assertThat(outcome.stderr()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 4096, 300_000 })
	void outputIsTruncatedOnlyBeyondTheLimit(int bound) throws IOException {
		byte[] data = random(bound + 1, bound);
		Files.write(trial().workspace().resolve("data"), data);
		Outcome within = trial().run("head -c " + bound + " data", (request) -> request.maxOutputBytes(bound));
		assertThat(within.exit()).isEqualTo(SUCCESS);
		assertThat(within.stdout()).isEqualTo(Arrays.copyOf(data, bound));
		assertThat(within.discarded()).isZero();
		Outcome beyond = trial().run("cat data", (request) -> request.maxOutputBytes(bound));
		assertThat(beyond.exit()).isEqualTo(TRUNCATED);
		assertThat(beyond.stdout()).isEqualTo(Arrays.copyOf(data, bound));
		assertThat(beyond.discarded()).isEqualTo(1);
	}

	@Test
	void limitAppliesToBothStreamsTogether() {
		Outcome outcome = trial().run("printf 01234; printf 56789 >&2; printf x; printf y >&2",
				(request) -> request.maxOutputBytes(10));
		assertThat(outcome.stdout().length + outcome.stderr().length).isEqualTo(10);
		assertThat(outcome.exit()).isEqualTo(TRUNCATED);
		assertThat(outcome.discarded()).isEqualTo(2);
	}

	@Test
	void endOfTheOutputIsRetainedOnRequest() {
		Outcome outcome = trial().run("seq 1 100000",
				(request) -> Trial.attributes((attributes) -> attributes.tailBytes(14))
					.apply(request.maxOutputBytes(4)));
		assertThat(outcome.out()).isEqualTo("1\n2\n\n99999\n100000\n");
		assertThat(outcome.exit()).isEqualTo(TRUNCATED);
		assertThat(outcome.discarded()).isEqualTo(588_895 - 18);
	}

	@Test
	void outputThatFitsIntoHeadAndTailIsNotTruncated() {
		Outcome outcome = trial().run("printf 0123456789",
				(request) -> Trial.attributes((attributes) -> attributes.tailBytes(6))
					.apply(request.maxOutputBytes(4)));
		assertThat(outcome.out()).isEqualTo("0123456789");
		assertThat(outcome.exit()).isEqualTo(SUCCESS);
		assertThat(outcome.discarded()).isZero();
	}

	@Test
	void multibyteCharactersAreNotSplit() {
		String line = "h\u00e9llo \u4e16\u754c \ud83d\ude00";
		assertThat(trial().run("yes '" + line + "' | head -n 3000").out()).isEqualTo((line + "\n").repeat(3000));
	}

	@Test
	void outputIsEmittedWhileTheCommandRuns() {
		try (SandboxHandle handle = trial().start("echo now; sleep 60")) {
			SandboxOutputChunk first = handle.output().blockFirst(Trial.PATIENCE);
			assertThat(first).isInstanceOf(SandboxOutputChunk.Stdout.class);
			assertThat(handle.exit().toFuture()).isNotDone();
		}
	}

	@Test
	void outputIsReadWithoutSubscribers() {
		try (SandboxHandle handle = trial().start("yes 0123456789 | head -c 20000000")) {
			assertThat(Trial.exit(handle)).isEqualTo(TRUNCATED);
			assertThat(handle.discardedBytes()).isEqualTo(20_000_000 - (1 << 20));
		}
	}

	@Test
	void retainedOutputTakesLittleMemory() {
		trial().run("true");
		long before = usedMemory();
		try (SandboxHandle handle = trial().start("head -c 20000000 /dev/zero",
				(request) -> request.maxOutputBytes(100_000_000))) {
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(usedMemory() - before).isLessThan(4_000_000);
			assertThat(handle.output().map((chunk) -> (long) chunk.data().length).reduce(0L, Long::sum).block())
				.isEqualTo(20_000_000);
		}
	}

	private static long usedMemory() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	@Test
	void outputWithoutALineEndIsRead() {
		Outcome outcome = trial().run("head -c 10000000 /dev/zero; printf end",
				(request) -> Trial.attributes((attributes) -> attributes.tailBytes(3))
					.apply(request.maxOutputBytes(2)));
		assertThat(outcome.out()).isEqualTo("\0\0end");
		assertThat(outcome.discarded()).isEqualTo(10_000_000 - 2);
	}

	@Test
	void outputIsCompleteWhenTheExitIsEmitted() {
		for (int i = 0; i < Trial.rounds(10, 30); i++) {
			assertThat(trial().run("seq 1 5000; echo last").out()).endsWith("5000\nlast\n").hasSize(23_898);
		}
	}

	private static byte[] random(int length, long seed) {
		byte[] data = new byte[length];
		new Random(seed).nextBytes(data);
		return data;
	}

}
