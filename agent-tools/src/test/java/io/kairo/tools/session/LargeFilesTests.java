package io.kairo.tools.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import io.kairo.tools.CallDeadline;
import io.kairo.tools.Cancellation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LargeFiles}.
 */
@Timeout(60)
class LargeFilesTests {

	private static final int MEGABYTE = 1 << 20;

	private final LargeFiles files = new LargeFiles(8 * MEGABYTE);

	private final ExecutorService calls = Executors.newCachedThreadPool();

	@AfterEach
	void stop() {
		this.calls.shutdownNow();
	}

	private static CallDeadline within(Duration time) {
		return new CallDeadline(time, new Cancellation());
	}

	private static CallDeadline soon() {
		return within(Duration.ofMillis(1));
	}

	private static CallDeadline late() {
		return within(Duration.ofSeconds(50));
	}

	private LargeFiles.Place take(String tenant, CallDeadline deadline) {
		return this.files.take(tenant, MEGABYTE, 4, deadline::hasEnded);
	}

	private CompletableFuture<LargeFiles.Place> waiting(String tenant) {
		return CompletableFuture.supplyAsync(() -> take(tenant, late()), this.calls);
	}

	@Test
	void tenantHoldsFilesUpToHalfOfMaximum() {
		LargeFiles.Place first = take("a", soon());
		assertThat(take("a", soon())).isNull();
		assertThat(take("b", soon())).isNotNull();
		first.close();
		assertThat(this.files.take("a", MEGABYTE, 2, soon()::hasEnded)).isNotNull();
		LargeFiles.Place second = this.files.take("a", MEGABYTE, 2, soon()::hasEnded);
		assertThat(second).isNotNull();
		assertThat(this.files.take("a", MEGABYTE, 1, soon()::hasEnded)).isNull();
		second.close();
		assertThat(this.files.take("a", MEGABYTE, 2, soon()::hasEnded)).isNotNull();
	}

	@Test
	void allTenantsHoldUpToMaximum() {
		LargeFiles.Place first = take("a", soon());
		take("b", soon());
		assertThat(take("c", soon())).isNull();
		first.close();
		first.close();
		assertThat(take("c", soon())).isNotNull();
		assertThat(take("d", soon())).isNull();
	}

	@Test
	void singleFileMayExceedMaximum() {
		LargeFiles.Place first = this.files.take("a", 100 * MEGABYTE, 6, soon()::hasEnded);
		assertThat(first).isNotNull();
		assertThat(take("b", soon())).isNull();
		first.close();
		assertThat(take("b", soon())).isNotNull();
	}

	@Test
	void smallFilesDoNotWait() {
		this.files.take("a", 100 * MEGABYTE, 6, soon()::hasEnded);
		for (int i = 0; i < 100; i++) {
			assertThat(this.files.take("a", 256 << 10, 6, soon()::hasEnded)).isNotNull();
		}
	}

	@Test
	void tenantWithManyCallsDoesNotDelayOthers() {
		LargeFiles.Place first = take("a", soon());
		List<CompletableFuture<LargeFiles.Place>> own = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			own.add(waiting("a"));
		}
		LargeFiles.Place other = take("b", late());
		assertThat(own).noneMatch(CompletableFuture::isDone);
		first.close();
		await().until(() -> own.stream().filter(CompletableFuture::isDone).count() == 1);
		other.close();
	}

	@Test
	void cancelledCallDoesNotWait() {
		take("a", soon());
		Cancellation cancellation = new Cancellation();
		CompletableFuture<LargeFiles.Place> call = CompletableFuture
			.supplyAsync(() -> take("a", new CallDeadline(Duration.ofSeconds(50), cancellation)), this.calls);
		cancellation.cancel();
		assertThat(call).succeedsWithin(Duration.ofSeconds(20)).isNull();
	}

}
