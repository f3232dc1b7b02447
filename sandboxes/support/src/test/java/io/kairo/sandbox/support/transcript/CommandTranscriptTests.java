package io.kairo.sandbox.support.transcript;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.kairo.sandbox.support.output.OutputChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CommandTranscript}.
 */
@Timeout(120)
class CommandTranscriptTests {

	private final List<LoggedHandle> handles = new ArrayList<>();

	@TempDir
	Path temp;

	private LoggedHandle handle(long maxOutputBytes, long tailBytes) {
		LoggedHandle handle = new LoggedHandle(this.temp, maxOutputBytes, tailBytes);
		this.handles.add(handle);
		return handle;
	}

	@AfterEach
	void closeHandles() {
		this.handles.forEach(LoggedHandle::close);
	}

	private static Map<OutputChannel, String> readAll(CommandTranscript transcript, int maxBytes)
			throws InterruptedException {
		Map<OutputChannel, String> texts = new EnumMap<>(OutputChannel.class);
		TranscriptPage page = transcript.read(0, maxBytes);
		while (true) {
			page.parts().forEach((part) -> texts.merge(part.channel(), part.text(), String::concat));
			if (page.complete()) {
				return texts;
			}
			page = transcript.read(page.nextCursor(), maxBytes);
		}
	}

	static LongStream seeds() {
		return LongStream.range(0, 60);
	}

	@Nested
	class Reading {

		@Test
		void readContinuesAtNextCursor() throws Exception {
			LoggedHandle handle = handle(1000, 0);
			try (CommandTranscript transcript = handle.transcript()) {
				assertThat(transcript.read(0, 100)).isEqualTo(new TranscriptPage(List.of(), 0, 0, false));
				handle.print("one ");
				assertThat(transcript.awaitOutput(0, Duration.ofSeconds(60))).isTrue();
				TranscriptPage first = transcript.read(0, 100);
				assertThat(first.text()).isEqualTo("one ");
				assertThat(first.complete()).isFalse();
				handle.print("two");
				handle.end();
				TranscriptPage second = transcript.read(first.nextCursor(), 100);
				assertThat(second.text()).isEqualTo("two");
				assertThat(second.nextCursor()).isEqualTo(7);
				assertThat(second.complete()).isTrue();
			}
		}

		@Test
		void readReturnsTextAtCursorInAnyOrder() throws Exception {
			LoggedHandle handle = handle(1_000_000, 0);
			handle.print("0123456789".repeat(20_000));
			handle.end();
			try (CommandTranscript transcript = handle.transcript()) {
				assertThat(transcript.read(199_995, 100).text()).isEqualTo("56789");
				for (int cursor : new int[] { 7, 150_003, 3, 3, 70_001 }) {
					TranscriptPage page = transcript.read(cursor, 5);
					assertThat(page.text()).isEqualTo("01234567890123456789".substring(cursor % 10, cursor % 10 + 5));
					assertThat(page.nextCursor()).isEqualTo(cursor + 5);
				}
			}
		}

		@Test
		void readDistinguishesOutputChannels() throws Exception {
			LoggedHandle handle = handle(1000, 0);
			handle.print("out");
			handle.print(OutputChannel.STDERR, "err".getBytes());
			handle.print("out");
			handle.end();
			try (CommandTranscript transcript = handle.transcript()) {
				assertThat(transcript.read(0, 100).parts()).containsExactly(
						new TranscriptPage.Part(OutputChannel.STDOUT, "out"),
						new TranscriptPage.Part(OutputChannel.STDERR, "err"),
						new TranscriptPage.Part(OutputChannel.STDOUT, "out"));
			}
		}

		@Test
		void readBeyondEndReturnsEmptyPageAndInvalidArgumentsAreRefused() throws Exception {
			LoggedHandle handle = handle(1000, 0);
			handle.print("text");
			handle.end();
			try (CommandTranscript transcript = handle.transcript()) {
				assertThat(transcript.read(99, 100)).isEqualTo(new TranscriptPage(List.of(), 99, 0, true));
				assertThatIllegalArgumentException().isThrownBy(() -> transcript.read(-1, 1));
				assertThatIllegalArgumentException().isThrownBy(() -> transcript.read(0, 0));
			}
		}

		@Test
		void concurrentReadersDoNotAffectEachOther() {
			LoggedHandle handle = handle(10_000_000, 0);
			String text = "abc\u20ac\ud83d\ude00".repeat(30_000);
			handle.print(text);
			handle.end();
			try (CommandTranscript transcript = handle.transcript()) {
				List<CompletableFuture<Map<OutputChannel, String>>> readers = new ArrayList<>();
				for (int i = 0; i < 6; i++) {
					int size = 7001 + 1000 * i;
					readers.add(CompletableFuture.supplyAsync(() -> {
						try {
							return readAll(transcript, size);
						}
						catch (InterruptedException ex) {
							throw new IllegalStateException(ex);
						}
					}, (task) -> new Thread(task).start()));
				}
				readers.forEach(
						(reader) -> assertThat(reader.join()).containsExactly(Map.entry(OutputChannel.STDOUT, text)));
			}
		}

		@Test
		void closedTranscriptHoldsNoSubscription() throws Exception {
			LoggedHandle handle = handle(1000, 0);
			CommandTranscript transcript = handle.transcript();
			handle.print("x");
			transcript.read(0, 1);
			assertThat(subscriptions()).isEqualTo(1);
			transcript.close();
			await().untilAsserted(() -> assertThat(subscriptions()).isZero());
			assertThat(transcript.read(0, 1).text()).isEqualTo("x");
			await().untilAsserted(() -> assertThat(subscriptions()).isZero());
		}

		private static long subscriptions() {
			return Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.getName().equals("kairo-output"))
				.count();
		}

	}

	@Nested
	class Decoding {

		@Test
		void charactersAreWholeAtAnyChunkAndPageBoundary() throws Exception {
			byte[] text = "a\u00e9\u20ac\ud83d\ude00z".getBytes(StandardCharsets.UTF_8);
			for (int cut = 0; cut <= text.length; cut++) {
				LoggedHandle handle = handle(1000, 0);
				handle.print(OutputChannel.STDOUT, Arrays.copyOf(text, cut));
				handle.print(OutputChannel.STDERR, text);
				handle.print(OutputChannel.STDOUT, Arrays.copyOfRange(text, cut, text.length));
				handle.end();
				for (int page = 1; page <= 2 * text.length; page++) {
					try (CommandTranscript transcript = handle.transcript()) {
						assertThat(readAll(transcript, page)).as("cut at %s, pages of %s", cut, page)
							.containsOnly(Map.entry(OutputChannel.STDOUT, "a\u00e9\u20ac\ud83d\ude00z"),
									Map.entry(OutputChannel.STDERR, "a\u00e9\u20ac\ud83d\ude00z"));
					}
				}
			}
		}

		@ParameterizedTest
		@MethodSource("io.kairo.sandbox.support.transcript.CommandTranscriptTests#seeds")
		void pagedTextOfRandomBytesEqualsTextDecodedAtOnce(long seed) throws Exception {
			Random random = new Random(seed);
			byte[] alphabet = { 'a', '\n', (byte) 0xc3, (byte) 0xa9, (byte) 0xe2, (byte) 0x82, (byte) 0xac, (byte) 0xf0,
					(byte) 0x9f, (byte) 0x98, (byte) 0x80, (byte) 0xed, (byte) 0xff, (byte) 0xc0 };
			LoggedHandle handle = handle(10_000, 0);
			Map<OutputChannel, ByteArrayOutputStream> printed = new EnumMap<>(OutputChannel.class);
			for (int i = 0; i < 40; i++) {
				byte[] data = new byte[random.nextInt(8)];
				for (int j = 0; j < data.length; j++) {
					data[j] = alphabet[random.nextInt(alphabet.length)];
				}
				OutputChannel channel = OutputChannel.values()[random.nextInt(2)];
				printed.computeIfAbsent(channel, (key) -> new ByteArrayOutputStream()).writeBytes(data);
				handle.print(channel, data);
			}
			handle.end();
			int page = 1 + random.nextInt(9);
			try (CommandTranscript transcript = handle.transcript()) {
				Map<OutputChannel, String> texts = readAll(transcript, page);
				printed.forEach((channel, bytes) -> assertThat(texts.getOrDefault(channel, ""))
					.as("seed %s, pages of %s", seed, page)
					.isEqualTo(bytes.toString(StandardCharsets.UTF_8)));
			}
		}

	}

	@Nested
	class Gaps {

		@Test
		void discardedBytesAreReportedOnPageThatFollowsGap() throws Exception {
			LoggedHandle handle = handle(10, 4);
			handle.print("0123456789" + "x".repeat(100) + "tail");
			handle.end();
			try (CommandTranscript transcript = handle.transcript()) {
				assertThat(transcript.read(0, 100)).isEqualTo(page("0123456789tail", 14, 100, true));
				assertThat(transcript.read(0, 10)).isEqualTo(page("0123456789", 10, 0, false));
				assertThat(transcript.read(10, 2)).isEqualTo(page("ta", 12, 100, false));
				assertThat(transcript.read(12, 2)).isEqualTo(page("il", 14, 0, true));
			}
		}

		@Test
		void discardedBytesAreReportedWhileTheCommandRuns() throws Exception {
			LoggedHandle handle = handle(10, 0);
			handle.print("0123456789" + "x".repeat(100));
			try (CommandTranscript transcript = handle.transcript()) {
				transcript.awaitOutput(0, Duration.ofSeconds(60));
				assertThat(transcript.read(0, 100)).isEqualTo(page("0123456789", 10, 0, false));
				assertThat(transcript.read(10, 100).discardedBytes()).isEqualTo(100);
				handle.print("more");
				assertThat(transcript.read(10, 100).discardedBytes()).isEqualTo(104);
				handle.end();
				assertThat(transcript.read(10, 100)).isEqualTo(new TranscriptPage(List.of(), 10, 104, true));
			}
		}

		private TranscriptPage page(String text, long next, long dropped, boolean complete) {
			return new TranscriptPage(List.of(new TranscriptPage.Part(OutputChannel.STDOUT, text)), next, dropped,
					complete);
		}

	}

	@Nested
	class Memory {

		@Test
		void heapUsageDoesNotGrowWithOutput() throws Exception {
			LoggedHandle handle = handle(1L << 30, 0);
			byte[] data = new byte[1 << 20];
			Arrays.fill(data, (byte) 'x');
			for (int i = 0; i < 100; i++) {
				handle.print(OutputChannel.STDOUT, data);
			}
			try (CommandTranscript transcript = handle.transcript()) {
				transcript.read(0, 1);
				System.gc();
				long before = used();
				assertThat(transcript.awaitOutput(90 << 20, Duration.ofSeconds(60))).isTrue();
				assertThat(transcript.read(90 << 20, 10).text()).isEqualTo("xxxxxxxxxx");
				// what other threads leave meanwhile goes with a later collection
				await().untilAsserted(() -> {
					System.gc();
					assertThat(used() - before).isLessThan(1 << 20);
				});
			}
		}

		private static long used() {
			return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
		}

	}

}
