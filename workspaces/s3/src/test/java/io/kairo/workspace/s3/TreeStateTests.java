package io.kairo.workspace.s3;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link TreeState} with its {@link StateLog}.
 */
class TreeStateTests {

	private static final int ROUNDS = Integer.getInteger("kairo.kill.rounds", 1);

	@TempDir
	Path directory;

	private Path log() {
		return this.directory.resolve("state");
	}

	private static BaseVersion version(long size) {
		return new BaseVersion("etag\t!\n", size, Instant.EPOCH, true, "hash", null);
	}

	private static List<Runnable> changes(TreeState state) {
		return List.of(() -> state.open(new TreeState.Opened("bucket/ä", "tenant", "principal", true)),
				() -> state.version("a\tb", version(1)), () -> state.directory("dir"), () -> state.listed("", false),
				() -> state.listed("dir", true), state::begin, () -> state.attempt("a\tb", "one"),
				() -> state.attempt("a\tb", "two"),
				() -> state.conflict("c", new TreeState.Conflict("c.remote-1", "e", null)),
				() -> state.version("d", version(2)), () -> state.settle("a\tb"), () -> state.forget("d"),
				() -> state.resolve("c"), state::end);
	}

	private static String describe(TreeState state) {
		return String.join("|", String.valueOf(state.opened()), state.versions("").toString(),
				state.directories("DIR").toString(), String.valueOf(state.isListed("")),
				String.valueOf(state.isListed("x/y")), String.valueOf(state.isTreeListed("dir")),
				String.valueOf(state.isWriting()), state.attempts("a\tb").stream().sorted().toList().toString(),
				state.conflicts().toString(), state.spellings("A\tB").toString());
	}

	private static void repeat(TreeState state, int times) {
		IntStream.range(0, times).forEach((i) -> state.version("repeated", version(i)));
	}

	private String reopened() throws IOException {
		try (TreeState state = new TreeState(log())) {
			return describe(state);
		}
	}

	@Test
	void logCutAtAnyByteHasTheStateAfterSomeOfTheChangesAndGoesOn() throws IOException {
		List<String> states = new ArrayList<>();
		try (TreeState state = new TreeState(log())) {
			states.add(describe(state));
			for (Runnable change : changes(state)) {
				change.run();
				states.add(describe(state));
			}
		}
		byte[] whole = Files.readAllBytes(log());
		int reached = 0;
		for (int length = 0; length <= whole.length; length++) {
			Files.write(log(), Arrays.copyOf(whole, length));
			String found;
			try (TreeState state = new TreeState(log())) {
				found = describe(state);
				state.version("later", version(3));
			}
			int at = states.subList(reached, states.size()).indexOf(found);
			assertThat(at).as("cut at %d: %s", length, found).isBetween(0, 1);
			reached += at;
			try (TreeState state = new TreeState(log())) {
				assertThat(state.version("later")).isEqualTo(version(3));
				state.forget("later");
				assertThat(describe(state)).isEqualTo(found);
			}
		}
		assertThat(reached).isEqualTo(states.size() - 1);
	}

	@Test
	void bytesThatAPowerCutLeavesAreIgnored() throws IOException {
		try (TreeState state = new TreeState(log())) {
			changes(state).forEach(Runnable::run);
		}
		String before = reopened();
		Files.write(log(), new byte[] { 0, 0, (byte) 0xff, (byte) 0xc3, 0, '\t', 7 }, StandardOpenOption.APPEND);
		assertThat(reopened()).isEqualTo(before);
	}

	@Test
	void stateIsTheSameAfterEachChangeWhenLogWasRewritten() throws IOException {
		int count;
		try (TreeState state = new TreeState(log())) {
			count = changes(state).size();
		}
		for (int changed = 0; changed < count; changed++) {
			Files.delete(log());
			String before;
			try (TreeState state = new TreeState(log())) {
				repeat(state, 900);
				changes(state).subList(0, changed + 1).forEach(Runnable::run);
				before = describe(state);
				long size = Files.size(log());
				repeat(state, 100);
				state.version("repeated", version(899));
				assertThat(Files.size(log())).isLessThan(size / 5);
				assertThat(describe(state)).isEqualTo(before);
			}
			assertThat(reopened()).isEqualTo(before);
		}
	}

	@Test
	void logOfAnEarlierProcessIsRewrittenWhenItIsOpened() throws IOException {
		String before;
		try (TreeState state = new TreeState(log())) {
			repeat(state, 900);
			before = describe(state);
		}
		long size = Files.size(log());
		assertThat(reopened()).isEqualTo(before);
		assertThat(Files.size(log())).isLessThan(size / 100);
	}

	@Test
	void logDoesNotGrowBeyondAMultipleOfItsContent() throws IOException {
		try (TreeState state = new TreeState(log())) {
			for (int i = 0; i < 20_000; i++) {
				state.version("file-" + i % 10, version(i));
			}
			assertThat(Files.size(log())).isLessThan(200_000);
		}
	}

	@Test
	void logThatCannotBeRewrittenGoesOn() throws IOException {
		Path blocked = this.directory.resolve("state.new");
		try (TreeState state = new TreeState(log())) {
			Files.createDirectories(blocked.resolve("not-empty"));
			repeat(state, 1500);
			assertThat(Files.size(log())).isGreaterThan(1500 * 20);
			Files.delete(blocked.resolve("not-empty"));
			Files.delete(blocked);
			repeat(state, 1500);
			assertThat(state.version("repeated")).isEqualTo(version(1499));
		}
		assertThat(Files.size(log())).isLessThan(1500 * 20);
		try (TreeState state = new TreeState(log())) {
			assertThat(state.version("repeated")).isEqualTo(version(1499));
		}
	}

	@Test
	void unfinishedRewriteOfAKilledProcessIsDiscarded() throws IOException {
		try (TreeState state = new TreeState(log())) {
			changes(state).forEach(Runnable::run);
		}
		String before = reopened();
		Path unfinished = this.directory.resolve("state.new");
		Files.writeString(unfinished, "forgotten\ta%09b\t!\n");
		assertThat(reopened()).isEqualTo(before);
		assertThat(unfinished).doesNotExist();
	}

	@Test
	void killedProcessLosesNoChangeWhileItRewritesItsLog() throws Exception {
		for (int round = 0; round < ROUNDS; round++) {
			Files.deleteIfExists(log());
			kill();
		}
	}

	private void kill() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", S3Server.classPath(),
				TreeStateProgram.class.getName(), log().toString())
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		long last = -1;
		long enough = 5000 + System.nanoTime() % 2000;
		try (BufferedReader out = process.inputReader()) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				last = Long.parseLong(line);
				if (last == enough) {
					process.toHandle().destroyForcibly();
				}
			}
		}
		assertThat(process.waitFor()).isEqualTo(137);
		assertThat(last).isGreaterThanOrEqualTo(enough);
		try (TreeState state = new TreeState(log())) {
			for (long i = last; i > last - 3; i--) {
				BaseVersion found = state.version("file-" + i % 3);
				assertThat(found).isNotNull();
				assertThat(found.size()).isGreaterThanOrEqualTo(i);
			}
		}
	}

}
