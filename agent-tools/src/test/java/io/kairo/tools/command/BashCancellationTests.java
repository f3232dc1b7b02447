package io.kairo.tools.command;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.tools.Cancellation;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls of {@link BashTool} that are cancelled or interrupted.
 */
@Timeout(60)
class BashCancellationTests extends BashFixture {

	@Test
	void cancellationStopsCommand() throws Exception {
		Cancellation cancellation = new Cancellation();
		ToolContext context = otherSession().cancellation(cancellation).build();
		CompletableFuture<ToolResult> call = CompletableFuture
			.supplyAsync(() -> new BashTool().call(Map.of("command", "touch started; sleep 50"), context));
		awaitStart();
		cancellation.cancel();
		ToolResult result = call.get(10, TimeUnit.SECONDS);
		assertThat(result.error().code()).isEqualTo("cancelled");
	}

	@Test
	void interruptStopsCommandAndIsPreserved() throws Exception {
		AtomicReference<ToolResult> result = new AtomicReference<>();
		AtomicReference<Boolean> interrupted = new AtomicReference<>();
		Thread caller = new Thread(() -> {
			result.set(bash("touch started; sleep 50"));
			interrupted.set(Thread.currentThread().isInterrupted());
		});
		caller.start();
		awaitStart();
		caller.interrupt();
		caller.join(10_000);
		assertThat(result.get().error().code()).isEqualTo("cancelled");
		assertThat(interrupted.get()).isTrue();
	}

	private void awaitStart() {
		Awaitility.await().until(() -> this.directory.resolve("started").toFile().exists());
	}

}
