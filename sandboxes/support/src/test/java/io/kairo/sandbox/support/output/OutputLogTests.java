package io.kairo.sandbox.support.output;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.host.PrivateDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link OutputLog} and its storage.
 */
@Timeout(120)
class OutputLogTests {

	private static final int SEEDS = "long".equals(System.getProperty("kairo.stress")) ? 250 : 80;

	@TempDir
	Path temp;

	private PrivateDirectory directory;

	private PrivateDirectory directory() {
		if (this.directory == null) {
			this.directory = new PrivateDirectory(this.temp);
		}
		return this.directory;
	}

	@AfterEach
	void removeDirectory() {
		directory().close();
	}

	private static byte[] random(Random random, int length) {
		byte[] data = new byte[length];
		random.nextBytes(data);
		return data;
	}

	private static void append(OutputLog log, String text) {
		log.append(OutputChannel.STDOUT, text.getBytes(), 0, text.length());
	}

	private static List<SandboxOutputChunk> chunks(OutputLog log) {
		return log.chunks().collectList().block();
	}

	@Nested
	class Retention {

		@ParameterizedTest
		@MethodSource("io.kairo.sandbox.support.output.OutputLogTests#seeds")
		void logRetainsFirstAndLastBytesLikeArray(long seed) {
			Random random = new Random(seed);
			long head = anyOf(random, 1, 2, 7, 100, 4096, 32_764, 32_768, 65_536, 196_604, 196_608, 262_144, 300_000);
			long tail = anyOf(random, 0, 0, 1, 7, 16_383, 16_384, 16_385, 32_768, 40_000, 100_000);
			long total = switch (random.nextInt(7)) {
				case 0 -> head - 1;
				case 1 -> head;
				case 2 -> head + 1;
				case 3 -> head + tail;
				case 4 -> head + tail + 1;
				case 5 -> head + 2 * tail + random.nextInt(3);
				default -> random.nextLong(head + 5 * tail + 1000);
			};
			int most = (int) anyOf(random, 1, 3, 200, 8192, 40_000, 100_000);
			check(seed, random, head, tail, (most < 3) ? Math.min(total, 60_000) : total, most);
		}

		private void check(long seed, Random random, long head, long tail, long total, int most) {
			OutputLog log = new OutputLog(head, tail, directory());
			LogOracle oracle = new LogOracle();
			CompletableFuture<List<SandboxOutputChunk>> live = log.chunks().collectList().toFuture();
			long left = total;
			while (left > 0) {
				int length = (int) Math.min(left, random.nextInt(most + 1));
				byte[] data = random(random, length + random.nextInt(3));
				int offset = data.length - length;
				OutputChannel channel = random.nextBoolean() ? OutputChannel.STDOUT : OutputChannel.STDERR;
				log.append(channel, data, offset, length);
				oracle.append(channel, data, offset, length);
				left -= length;
			}
			log.close();
			String description = "seed " + seed + ": first " + head + ", last " + tail + " of " + total;
			byte[] expected = oracle.retained(head, tail);
			assertThat(log.discardedBytes()).as(description).isEqualTo(oracle.discarded(head, tail));
			assertThat(LogOracle.tagged(chunks(log))).as(description).isEqualTo(expected);
			assertThat(LogOracle.tagged(live.join())).as(description).isEqualTo(expected);
			assertThat(LogOracle.tagged(LogOracle.all(log, 1 + random.nextInt(5000)))).as(description)
				.isEqualTo(expected);
			log.release();
		}

		private long anyOf(Random random, long... values) {
			return values[random.nextInt(values.length)];
		}

		@Test
		void outputOfExactlyMaximumSizeIsNotDiscarded() {
			OutputLog log = new OutputLog(10, 0, directory());
			append(log, "0123456789");
			assertThat(log.discardedBytes()).isZero();
			append(log, "x");
			assertThat(log.discardedBytes()).isEqualTo(1);
		}

		@Test
		void tailIsRetainedInAdditionToHead() {
			OutputLog log = new OutputLog(4, 3, directory());
			append(log, "abcdefghij");
			log.close();
			assertThat(new String(concatenated(chunks(log)))).isEqualTo("abcdhij");
			assertThat(log.discardedBytes()).isEqualTo(3);
			assertThat(log.storageFailed()).as("storage failed").isFalse();
		}

		@Test
		void outputAppendedAfterCloseIsIgnored() {
			OutputLog log = new OutputLog(4, 3, directory());
			append(log, "ab");
			log.close();
			append(log, "cdefghijklm");
			assertThat(new String(concatenated(chunks(log)))).isEqualTo("ab");
			assertThat(log.discardedBytes()).isZero();
		}

		@Test
		void zeroHeadAndNegativeTailAreRefused() {
			assertThatIllegalArgumentException().isThrownBy(() -> new OutputLog(0, 1, directory()));
			assertThatIllegalArgumentException().isThrownBy(() -> new OutputLog(1, -1, directory()));
		}

		@Test
		void smallAppendsAreReadAsLargeChunks() {
			OutputLog log = new OutputLog(1 << 20, 0, directory());
			for (int i = 0; i < 10_000; i++) {
				append(log, "0123456789");
			}
			log.close();
			assertThat(chunks(log)).hasSizeLessThan(10)
				.allSatisfy((chunk) -> assertThat(chunk.data().length).isBetween(1, 64 * 1024));
		}

	}

	@Nested
	class Storage {

		@Test
		void heapUsageDoesNotGrowWithOutput() {
			List<OutputLog> logs = new ArrayList<>();
			byte[] data = random(new Random(1), 32 * 1024);
			long before = usedHeap();
			for (int i = 0; i < 40; i++) {
				OutputLog log = new OutputLog(3_000_000, 1_000_000, directory());
				for (int written = 0; written < 8_000_000; written += data.length) {
					log.append(OutputChannel.STDOUT, data, 0, data.length);
				}
				logs.add(log);
			}
			assertThat((usedHeap() - before) / logs.size()).isLessThan(512 * 1024);
			logs.forEach(OutputLog::release);
		}

		private long usedHeap() {
			Runtime runtime = Runtime.getRuntime();
			for (int i = 0; i < 4; i++) {
				System.gc();
			}
			return runtime.totalMemory() - runtime.freeMemory();
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void filesHaveNoNameAndAreClosedByRelease() throws IOException {
			OutputLog log = new OutputLog(1_000_000, 500_000, directory());
			byte[] data = random(new Random(1), 3_000_000);
			log.append(OutputChannel.STDOUT, data, 0, data.length);
			assertThat(openFiles(directory().path())).isNotEmpty().allMatch((file) -> file.endsWith("(deleted)"));
			assertThat(directory().path()).isDirectoryNotContaining("regex:.*/output-[^/]*");
			log.release();
			assertThat(openFiles(directory().path())).isEmpty();
		}

		/**
		 * Returns the open files in a private directory, without its claim.
		 */
		private static List<String> openFiles(Path directory) throws IOException {
			List<String> files = new ArrayList<>();
			try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
				for (Path descriptor : descriptors) {
					String file = target(descriptor);
					if (file.startsWith(directory + "/") && !file.equals(directory + "/lock")) {
						files.add(file);
					}
				}
			}
			return files;
		}

		private static String target(Path descriptor) {
			try {
				return Files.readSymbolicLink(descriptor).toString();
			}
			catch (IOException ex) {
				return "closed meanwhile";
			}
		}

		@Test
		void directoryIsAccessibleToOwnerOnly() throws IOException {
			assertThat(Files.getPosixFilePermissions(directory().path())).extracting(Enum::name)
				.containsExactlyInAnyOrder("OWNER_READ", "OWNER_WRITE", "OWNER_EXECUTE");
		}

		@Test
		void createdParentDirectoriesAreAccessibleToOwnerOnly() throws IOException {
			Path parent = OutputLogTests.this.temp.resolve("state/sandbox");
			try (PrivateDirectory directory = new PrivateDirectory(parent)) {
				directory.path();
				assertThat(Files.getPosixFilePermissions(parent)).hasSize(3);
				assertThat(Files.getPosixFilePermissions(parent.getParent())).hasSize(3);
			}
		}

		@Test
		void outputBeyondMemoryIsDiscardedOnFullDisk() throws IOException {
			Path full = Files.createSymbolicLink(OutputLogTests.this.temp.resolve("full"), Path.of("/dev/full"));
			assertDiscardsBeyondMemory(() -> new SpillFile(full));
			assertThat(Path.of("/dev/full")).exists();
		}

		@Test
		void outputBeyondMemoryIsDiscardedIfDirectoryCannotBeCreated() throws IOException {
			Path file = Files.createFile(OutputLogTests.this.temp.resolve("file"));
			assertDiscardsBeyondMemory(() -> SpillFile.create(new PrivateDirectory(file)));
		}

		private void assertDiscardsBeyondMemory(FrameBuffer.Spill spill) {
			OutputLog log = new OutputLog(1_000_000, 10_000, spill);
			byte[] data = random(new Random(1), 5_000_000);
			log.append(OutputChannel.STDOUT, data, 0, data.length);
			log.close();
			byte[] retained = concatenated(chunks(log));
			assertThat(retained.length).isGreaterThan(100_000);
			assertThat(log.discardedBytes()).isEqualTo(data.length - retained.length);
			assertThat(log.storageFailed()).isTrue();
			assertThat(retained).startsWith(Arrays.copyOf(data, retained.length - 10_000))
				.endsWith(Arrays.copyOfRange(data, data.length - 10_000, data.length));
		}

		@Test
		void tailIsDiscardedIfItCannotBeWritten() throws IOException {
			Path file = Files.createFile(OutputLogTests.this.temp.resolve("file"));
			OutputLog log = new OutputLog(1000, 400_000, new PrivateDirectory(file));
			byte[] data = random(new Random(1), 1_000_000);
			log.append(OutputChannel.STDOUT, data, 0, data.length);
			log.close();
			assertThat(concatenated(chunks(log))).isEqualTo(Arrays.copyOf(data, 1000));
			assertThat(log.discardedBytes()).isEqualTo(999_000);
			assertThat(log.storageFailed()).isTrue();
		}

	}

	static LongStream seeds() {
		return LongStream.range(0, SEEDS);
	}

	static byte[] concatenated(List<SandboxOutputChunk> chunks) {
		byte[] all = new byte[chunks.stream().mapToInt((chunk) -> chunk.data().length).sum()];
		int at = 0;
		for (byte[] data : Stream.of(chunks.toArray(new SandboxOutputChunk[0]))
			.map(SandboxOutputChunk::data)
			.toList()) {
			System.arraycopy(data, 0, all, at, data.length);
			at += data.length;
		}
		return all;
	}

}
