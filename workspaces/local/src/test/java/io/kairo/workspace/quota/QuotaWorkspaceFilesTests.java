package io.kairo.workspace.quota;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.api.workspace.tck.WorkspaceFilesContract;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link QuotaWorkspaceFiles}.
 */
class QuotaWorkspaceFilesTests extends WorkspaceFilesContract {

	private static final Duration A_WHILE = Duration.ofSeconds(30);

	private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);

	/** Ten bytes in two files. */
	private final InMemoryWorkspaceFiles store = new InMemoryWorkspaceFiles().seed("a", "12345").seed("dir/b", "12345");

	private final AtomicInteger walks = new AtomicInteger();

	@Override
	protected WorkspaceFiles createFiles(WritePolicy policy, Map<String, String> content) {
		InMemoryWorkspaceFiles files = new InMemoryWorkspaceFiles(policy);
		content.forEach(files::seed);
		return new QuotaWorkspaceFiles(files, new WorkspaceQuota(10_000_000, 1_000));
	}

	@Override
	protected boolean caseSensitive() {
		return false;
	}

	private QuotaWorkspaceFiles quota(long bytes, long files) {
		WorkspaceFiles counted = new ForwardingWorkspaceFiles(this.store) {
			@Override
			public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
				QuotaWorkspaceFilesTests.this.walks.incrementAndGet();
				return super.walk(directory, visitor);
			}
		};
		return new QuotaWorkspaceFiles(counted, new WorkspaceQuota(bytes, files), A_WHILE, this.now::get);
	}

	private WorkspacePath path(String path) {
		return this.store.resolve(path, this.store.root());
	}

	private Write write(String path, int size) {
		return new Write(path(path), new byte[size]);
	}

	private CompareExchange exchange(String path, String expected, int size) {
		return new CompareExchange(path(path), expected.getBytes(StandardCharsets.UTF_8), new byte[size]);
	}

	private static void assertAllowed(WorkspaceFiles files, WorkspaceChange change) {
		assertThat(files.apply(change).isOk()).as(change.toString()).isTrue();
	}

	private void assertRefused(WorkspaceFiles files, WorkspaceChange... changes) {
		WorkspaceChange change = (changes.length == 1) ? changes[0] : new Batch(List.of(changes));
		Map<String, String> before = this.store.snapshot();
		assertThat(files.apply(change)).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.QUOTA_EXCEEDED));
		assertThat(this.store.snapshot()).isEqualTo(before);
	}

	private long bytes() {
		return this.store.snapshot().values().stream().mapToLong(String::length).sum();
	}

	@Nested
	class Limits {

		@Test
		void changesAboveTheByteQuotaAreRefused() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertRefused(files, write("new", 11));
			assertAllowed(files, write("new", 10));
			assertRefused(files, write("more", 1));
			assertAllowed(files, write("empty", 0));
		}

		@Test
		void changesAboveTheFileQuotaAreRefused() {
			QuotaWorkspaceFiles files = quota(100, 3);
			assertAllowed(files, write("new", 1));
			assertRefused(files, write("more", 0));
			assertAllowed(files, write("new", 10));
			assertAllowed(files, new CreateDirectory(path("directories/do/not/count")));
		}

		@Test
		void replacedBytesAreSubtracted() {
			QuotaWorkspaceFiles files = quota(12, 2);
			assertAllowed(files, write("a", 7));
			assertRefused(files, write("a", 8));
			assertRefused(files, exchange("dir/b", "12345", 6));
			assertAllowed(files, exchange("dir/b", "12345", 5));
		}

		@Test
		void mismatchedCompareExchangeIsNotRefused() {
			QuotaWorkspaceFiles files = quota(10, 2);
			assertThat(files.apply(exchange("a", "other text", 1_000)).value().applied()).isFalse();
		}

		@Test
		void copiesAreCountedAndMovesAreNot() {
			QuotaWorkspaceFiles files = quota(19, 10);
			assertRefused(files, new Copy(path("."), path("x")), write("z", 20));
			assertAllowed(files, new Copy(path("dir"), path("twin")));
			assertRefused(files, new Copy(path("dir"), path("twin2")));
			assertAllowed(files, new Move(path("dir"), path("moved")));
			assertAllowed(files, new Copy(path("a"), path("moved/b"), Overwrite.REPLACE, null));
			assertThat(bytes()).isEqualTo(15);
		}

		@Test
		void stringMethodsAreSubjectToTheQuota() {
			QuotaWorkspaceFiles files = quota(10, 2);
			assertThat(files.tryWriteFile("new", "x").isOk()).isFalse();
			assertThat(files.tryCompareExchange("a", "12345", "123456").isOk()).isFalse();
		}

		@Test
		void refusalNamesLimitUsageAndNeed() {
			WorkspaceResult<?> result = quota(20, 7).apply(write("new", 13));
			assertThat(result.toString()).contains("13 more bytes and 1 more file,", "10 of 20 bytes", "2 of 7 files");
		}

		@Test
		void negativeQuotaIsRefused() {
			assertThatIllegalArgumentException().isThrownBy(() -> new WorkspaceQuota(-1, 0));
			assertThatIllegalArgumentException().isThrownBy(() -> new WorkspaceQuota(0, -1));
		}

	}

	@Nested
	class AFullWorkspace {

		@Test
		void fullWorkspaceCanBeCleanedUp() {
			QuotaWorkspaceFiles files = quota(1, 1);
			assertRefused(files, write("a", 6));
			assertAllowed(files, write("a", 4));
			assertAllowed(files, new Move(path("a"), path("c")));
			assertAllowed(files, new Delete(path("dir"), Depth.RECURSIVE, null));
			assertAllowed(files, write("c", 1));
		}

		@Test
		void deletionFreesSpace() {
			QuotaWorkspaceFiles files = quota(10, 2);
			assertRefused(files, write("new", 5));
			assertAllowed(files, new Delete(path("a")));
			assertAllowed(files, write("new", 5));
			assertRefused(files, write("more", 1));
		}

	}

	@Nested
	class ABatch {

		@Test
		void batchCountsByItsFinalEffect() {
			QuotaWorkspaceFiles files = quota(10, 2);
			assertAllowed(files, new Batch(List.of(write("new", 5), new Delete(path("a")))));
			assertAllowed(files, new Batch(List.of(new Delete(path("new")), write("dir/b", 10))));
			assertThat(bytes()).isEqualTo(10);
		}

		@Test
		void batchAboveTheQuotaIsRefusedAsAWhole() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertRefused(files, write("x", 4), write("y", 4), write("z", 4));
			assertAllowed(files, new Batch(List.of(write("x", 4), write("y", 4), write("x", 6))));
			assertThat(bytes()).isEqualTo(20);
		}

		@Test
		void batchCountsGrowthByItsOwnEarlierChanges() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertRefused(files, write("x", 6), new Copy(path("x"), path("y")));
			assertRefused(files, write("n/x", 4), new Copy(path("n"), path("m")), new Copy(path("m"), path("n/m")));
			assertRefused(files, write("x", 1), exchange("x", "\0", 11));
			assertRefused(files, write("n/x", 6), new Move(path("n"), path("m")), new Copy(path("m"), path("o")));
		}

		@Test
		void batchCannotHideGrowthBehindAnotherCase() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertRefused(files, new Delete(path("a")), write("A", 5), write("x", 11));
			assertRefused(files, new Delete(path("A")), write("a", 5), write("x", 11));
			assertRefused(files, write("n/x", 6), new Copy(path("N"), path("m")));
			assertRefused(files, new Move(path("a"), path("A")), write("x", 11));
			assertRefused(files, new Move(path("a"), path("A")), exchange("a", "12345", 16));
		}

		@Test
		void everyKindOfChangeIsCounted() {
			QuotaWorkspaceFiles files = quota(30, 100);
			assertAllowed(files, new Batch(List.of(write("n/x", 5), new Copy(path("n"), path("m")),
					exchange("a", "12345", 10), new Move(path("m/x"), path("y")), new CreateDirectory(path("z")))));
			assertThat(bytes()).isEqualTo(25);
			int before = walks.get();
			assertAllowed(files, write("last", 5));
			assertThat(walks.get()).as("it is not counted again").isEqualTo(before);
			assertRefused(files, write("w", 1));
		}

	}

	@Nested
	class Counting {

		@Test
		void usageIsCountedOnceAndThenUpdated() {
			QuotaWorkspaceFiles files = quota(100, 100);
			for (int i = 0; i < 10; i++) {
				assertAllowed(files, write("new" + i, 5));
			}
			assertThat(walks.get()).isOne();
			assertThat(bytes()).isEqualTo(60);
		}

		@Test
		void changesWithoutGrowthNeedNoCount() {
			assertAllowed(quota(1, 1), write("a", 0));
			assertThat(walks.get()).isZero();
		}

		@Test
		void usageIsCountedAgainWhenTooOld() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertAllowed(files, write("x", 1));
			store.seed("behind/its/back", "1234567890");
			assertAllowed(files, write("y", 1));
			now.set(Instant.EPOCH.plus(A_WHILE));
			assertRefused(files, write("z", 1));
		}

		@Test
		void usageIsCountedAgainWhenTheClockWasSetBack() {
			QuotaWorkspaceFiles files = quota(20, 100);
			assertAllowed(files, write("x", 1));
			store.seed("behind/its/back", "1234567890");
			now.set(Instant.EPOCH.minus(Duration.ofDays(365)));
			assertThat(files.usage().bytes()).isEqualTo(21);
			assertRefused(files, write("z", 1));
		}

		@Test
		void usageIsCountedAgainBeforeARefusal() {
			QuotaWorkspaceFiles files = quota(15, 100);
			assertAllowed(files, write("x", 5));
			store.apply(new Delete(path("x"))).value();
			assertAllowed(files, write("y", 5));
			assertRefused(files, write("z", 1));
		}

		@Test
		void failedChangesAreNotCounted() {
			QuotaWorkspaceFiles files = quota(15, 100);
			assertThat(files.apply(write("a/below", 5)).isOk()).isFalse();
			assertThat(files.apply(new Write(path("new"), new byte[5], "sha256:other")).isOk()).isFalse();
			assertAllowed(files, write("x", 5));
		}

	}

	@Nested
	class SeveralThreads {

		@Test
		void concurrentChangesDoNotExceedTheQuotaTogether() throws Exception {
			int threads = 8;
			QuotaWorkspaceFiles files = quota(10 + 50, 100);
			CyclicBarrier barrier = new CyclicBarrier(threads);
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			List<Future<Integer>> allowed = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				int number = i;
				allowed.add(executor.submit(() -> {
					barrier.await();
					int count = 0;
					for (int j = 0; j < 20; j++) {
						count += files.apply(write(number + "/" + j, 3)).isOk() ? 1 : 0;
					}
					return count;
				}));
			}
			int sum = 0;
			int winners = 0;
			for (Future<Integer> count : allowed) {
				sum += count.get();
				winners += (count.get() < 20) ? 1 : 0;
			}
			executor.shutdown();
			assertThat(sum).isEqualTo(16);
			assertThat(winners).as("threads that were refused").isEqualTo(threads);
			assertThat(bytes()).isEqualTo(58);
		}

	}

	@Nested
	class Usages {

		@Test
		void usageIsCountedOnlyASmallPartOfTheTime() {
			ForwardingWorkspaceFiles slow = new ForwardingWorkspaceFiles(store) {

				@Override
				public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
					walks.incrementAndGet();
					now.updateAndGet((time) -> time.plusSeconds(2));
					return super.walk(directory, visitor);
				}

			};
			QuotaWorkspaceFiles files = new QuotaWorkspaceFiles(slow, new WorkspaceQuota(20, 3), A_WHILE, now::get);
			assertThat(files.usage().bytes()).isEqualTo(10);
			store.seed("c", "12345678901");
			now.updateAndGet((time) -> time.plusSeconds(37));
			assertThat(files.usage().bytes()).isEqualTo(10);
			assertThat(walks).hasValue(1);
			now.updateAndGet((time) -> time.plusSeconds(1));
			assertThat(files.usage().exceeded()).isTrue();
			assertThat(walks).hasValue(2);
		}

		@Test
		void usageFollowsChanges() {
			QuotaWorkspaceFiles files = new QuotaWorkspaceFiles(store, new WorkspaceQuota(20, 3), A_WHILE, now::get);
			assertThat(files.tryWriteFile("c", "123").isOk()).isTrue();
			assertThat(files.usage().bytes()).isEqualTo(13);
		}

	}

}
