package io.kairo.sandbox.support.process;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.kairo.sandbox.support.thread.DaemonThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ProcTables}.
 */
@Timeout(30)
class ProcTablesTests {

	private final AtomicInteger readings = new AtomicInteger();

	@Test
	void callsDuringAReadingShareTheNextOne() throws InterruptedException {
		CountDownLatch release = new CountDownLatch(1);
		ProcTables tables = new ProcTables(() -> {
			this.readings.incrementAndGet();
			try {
				release.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return ProcTable.read(LongStream.empty());
		});
		List<CompletableFuture<ProcTable>> first = take(tables, 1);
		await().until(() -> this.readings.get() == 1);
		List<CompletableFuture<ProcTable>> others = take(tables, 20);
		Thread.sleep(100);
		release.countDown();
		ProcTable second = others.get(0).join();
		assertThat(second).isNotSameAs(first.get(0).join());
		assertThat(others).extracting(CompletableFuture::join).containsOnly(second);
		assertThat(this.readings).hasValue(2);
		assertThat(tables.take()).isNotSameAs(second);
	}

	@Test
	void failedReadingIsNotShared() {
		ProcTables tables = new ProcTables(() -> {
			if (this.readings.incrementAndGet() == 1) {
				throw new IllegalStateException("tried");
			}
			return ProcTable.read(LongStream.empty());
		});
		assertThatExceptionOfType(CompletionException.class).isThrownBy(tables::take);
		assertThat(tables.take().processes()).isEmpty();
	}

	private static List<CompletableFuture<ProcTable>> take(ProcTables tables, int count) {
		return IntStream.range(0, count).mapToObj((i) -> {
			CompletableFuture<ProcTable> result = new CompletableFuture<>();
			DaemonThreads.start("take", () -> result.complete(tables.take()));
			return result;
		}).toList();
	}

}
