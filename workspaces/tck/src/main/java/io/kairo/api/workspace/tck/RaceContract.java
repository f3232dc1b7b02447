package io.kairo.api.workspace.tck;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Concurrent use of the same files by several threads. Tests assert that the threads
 * interfered with each other.
 */
abstract class RaceContract extends ContractPart {

	private final int rounds;

	/** Rounds of batches and of readers, which meet others in almost every round. */
	private final int batches;

	RaceContract(WorkspaceFilesContract suite) {
		super(suite);
		this.rounds = suite.raceRounds();
		this.batches = "long".equals(System.getProperty("kairo.stress")) ? this.rounds : Math.min(this.rounds, 10);
	}

	private static int sum(List<Integer> numbers) {
		return numbers.stream().mapToInt(Integer::intValue).sum();
	}

	@Test
	void noIncrementByCompareExchangeIsLost() throws Exception {
		this.files.tryWriteFile("counter", "0");
		List<Integer> lost = Race.run((number, barrier) -> {
			int losses = 0;
			String seen = text("counter");
			// each thread has read 0, so all but one lose the first round
			barrier.await();
			for (int i = 0; i < this.rounds; i++) {
				while (!this.files.tryCompareExchange("counter", seen, next(seen)).value().exchanged()) {
					losses++;
					seen = text("counter");
				}
				seen = text("counter");
			}
			return losses;
		});
		assertThat(text("counter")).isEqualTo(String.valueOf(Race.THREADS * this.rounds));
		assertThat(sum(lost)).as("exchanges that failed because of another thread")
			.isGreaterThanOrEqualTo(Race.THREADS - 1);
	}

	@Test
	void noIncrementByExpectedVersionIsLost() throws Exception {
		this.files.tryWriteFile("counter", "0");
		List<Integer> lost = Race.run((number, barrier) -> {
			int losses = 0;
			FileContent seen = this.files.read(path("counter"), 0, 100).value();
			barrier.await();
			for (int i = 0; i < this.rounds; i++) {
				while (isStale(Changes.write(path("counter"), next(string(seen.bytes())), seen.version()))) {
					losses++;
					seen = this.files.read(path("counter"), 0, 100).value();
				}
				seen = this.files.read(path("counter"), 0, 100).value();
			}
			return losses;
		});
		assertThat(text("counter")).isEqualTo(String.valueOf(Race.THREADS * this.rounds));
		assertThat(sum(lost)).as("writes that failed because of another thread")
			.isGreaterThanOrEqualTo(Race.THREADS - 1);
	}

	@Test
	void concurrentBatchesIncrementBothCountersOrNeither() throws Exception {
		this.files.tryWriteFile("left", "0");
		this.files.tryWriteFile("right", "0");
		List<Integer> lost = Race.run((number, barrier) -> {
			int losses = 0;
			String seen = text("left");
			barrier.await();
			for (int i = 0; i < this.batches; i++) {
				while (!this.files.apply(Changes.batch(Changes.exchange(path("left"), seen, next(seen)),
						Changes.exchange(path("right"), seen, next(seen))))
					.isOk()) {
					losses++;
					seen = text("left");
				}
				seen = text("left");
			}
			return losses;
		});
		assertThat(text("left")).isEqualTo(String.valueOf(Race.THREADS * this.batches));
		assertThat(text("right")).isEqualTo(text("left"));
		assertThat(sum(lost)).as("batches that failed because of another thread")
			.isGreaterThanOrEqualTo(Race.THREADS - 1);
	}

	@Test
	void onlyOneConcurrentCreationSucceeds() throws Exception {
		for (int round = 0; round < this.rounds; round++) {
			String path = "new" + round + "/file";
			List<Boolean> won = Race.run((number, barrier) -> {
				barrier.await();
				return !isStale(Changes.write(path(path), "by " + number, WorkspaceChange.ABSENT));
			});
			assertThat(won).containsOnlyOnce(true);
			assertThat(text(path)).isEqualTo("by " + won.indexOf(true));
		}
	}

	@Test
	void concurrentBatchesOnSameFilesDoNotInterleave() throws Exception {
		AtomicInteger inside = new AtomicInteger();
		AtomicInteger met = new AtomicInteger();
		Race race = new Race();
		Race.run((number, barrier) -> {
			barrier.await();
			for (int i = 0; i < this.batches || (met.get() == 0 && race.hasTimeLeft()); i++) {
				if (inside.incrementAndGet() > 1) {
					met.incrementAndGet();
				}
				String text = number + " " + i;
				this.files
					.apply(Changes.batch(Changes.write(path("left"), text), Changes.write(path("both/right"), text)))
					.value();
				inside.decrementAndGet();
			}
			return number;
		});
		assertThat(met).as("batches that began while another was in progress").hasPositiveValue();
		assertThat(text("left")).isEqualTo(text("both/right"));
	}

	@Test
	void readersNeverSeePartialWrites() throws Exception {
		String[] texts = { "a".repeat(40_000), "b".repeat(60_000) };
		this.files.tryWriteFile("file", texts[0]);
		AtomicInteger seenBoth = new AtomicInteger();
		Race race = new Race();
		List<Boolean> whole = Race.run((number, barrier) -> {
			barrier.await();
			if (number == 0) {
				for (int i = 0; i < this.batches || (seenBoth.get() < Race.THREADS - 1 && race.hasTimeLeft()); i++) {
					this.files.tryWriteFile("file", texts[i % 2]).value();
				}
				return true;
			}
			boolean sound = true;
			String before = text("file");
			boolean counted = false;
			for (int i = 0; i < this.batches || (!counted && race.hasTimeLeft()); i++) {
				String now = text("file");
				sound &= now.equals(texts[0]) || now.equals(texts[1]);
				if (!counted && !Objects.equals(now, before)) {
					counted = true;
					seenBoth.incrementAndGet();
				}
			}
			return sound;
		});
		assertThat(whole).containsOnly(true);
		assertThat(seenBoth).as("readers that saw the file change").hasPositiveValue();
	}

	@Test
	void readersFindFileWhileBatchesAreRolledBack() throws Exception {
		this.files.tryWriteFile("file", "old");
		AtomicBoolean over = new AtomicBoolean();
		List<Boolean> found = Race.run((number, barrier) -> {
			barrier.await();
			if (number > 0) {
				boolean whole = true;
				while (!over.get()) {
					whole &= List.of("old", "new").contains(text("file"));
				}
				return whole;
			}
			try {
				for (int i = 0; i < this.batches; i++) {
					assertFailed(this.files.apply(Changes.batch(Changes.write(path("file"), "new"),
							new WorkspaceChange.Delete(path("missing")))), WorkspaceErrorCode.FILE_NOT_FOUND);
				}
			}
			finally {
				over.set(true);
			}
			return true;
		});
		assertThat(found).containsOnly(true);
		assertThat(text("file")).isEqualTo("old");
	}

	private boolean isStale(WorkspaceChange change) {
		WorkspaceResult<ChangeReport> result = this.files.apply(change);
		if (!result.isOk()) {
			assertFailed(result, WorkspaceErrorCode.STALE_READ);
		}
		return !result.isOk();
	}

	private static String next(String number) {
		return String.valueOf(Integer.parseInt(number) + 1);
	}

}
