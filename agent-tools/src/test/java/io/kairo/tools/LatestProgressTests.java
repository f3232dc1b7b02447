package io.kairo.tools;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LatestProgress}.
 */
@Timeout(60)
class LatestProgressTests {

	private final List<Long> told = new CopyOnWriteArrayList<>();

	private final CompletableFuture<Void> slow = new CompletableFuture<>();

	@AfterEach
	void letGo() {
		this.slow.complete(null);
	}

	@Test
	void slowListenerReceivesOnlyLatestProgress() {
		try (LatestProgress progress = slowProgress()) {
			progress.report(new ToolProgress(1, "first"));
			Awaitility.await().until(() -> this.told.size() == 1);
			for (long amount = 2; amount <= 100; amount++) {
				progress.report(new ToolProgress(amount, "more"));
			}
			this.slow.complete(null);
			Awaitility.await().until(() -> this.told.size() == 2);
		}
		assertThat(this.told).containsExactly(1L, 100L);
	}

	@Test
	void slowListenerReceivesEndOfTextItMissed() {
		List<String> texts = new CopyOnWriteArrayList<>();
		try (LatestProgress progress = new LatestProgress((reported) -> {
			texts.add(String.valueOf(reported.text()));
			this.slow.join();
		})) {
			progress.report(new ToolProgress(1, "first", "a"));
			Awaitility.await().until(() -> texts.size() == 1);
			progress.report(new ToolProgress(2, "second", "b".repeat(999)));
			progress.report(new ToolProgress(3, "third"));
			progress.report(new ToolProgress(4, "fourth", "cd"));
			this.slow.complete(null);
			Awaitility.await().until(() -> texts.size() == 2);
		}
		assertThat(texts).containsExactly("a", "b".repeat(998) + "cd");
	}

	@Test
	void listenerReceivesNothingAfterClose() {
		LatestProgress progress = slowProgress();
		progress.report(new ToolProgress(1, "first"));
		Awaitility.await().until(() -> this.told.size() == 1);
		progress.report(new ToolProgress(2, "second"));
		progress.close();
		this.slow.complete(null);
		progress.report(new ToolProgress(3, "third"));
		Awaitility.await()
			.until(() -> Thread.getAllStackTraces()
				.keySet()
				.stream()
				.noneMatch((thread) -> thread.getName().equals("kairo-progress")));
		assertThat(this.told).containsExactly(1L);
	}

	@Test
	void closePreservesInterruptOfCaller() {
		LatestProgress progress = slowProgress();
		progress.report(new ToolProgress(1, "first"));
		Awaitility.await().until(() -> this.told.size() == 1);
		Thread.currentThread().interrupt();
		progress.close();
		assertThat(Thread.interrupted()).isTrue();
	}

	private LatestProgress slowProgress() {
		return new LatestProgress((progress) -> {
			this.told.add(progress.amount());
			this.slow.join();
		});
	}

}
