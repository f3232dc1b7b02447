package io.kairo.autoconfigure.health;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link BoundedHealthIndicator}.
 */
@Timeout(60)
class BoundedHealthIndicatorTests {

	/** A bound that a test can wait for. */
	private static final Duration SHORT = Duration.ofMillis(200);

	private final CountDownLatch blocked = new CountDownLatch(1);

	private final AtomicInteger checks = new AtomicInteger();

	private final AtomicInteger ended = new AtomicInteger();

	@AfterEach
	void release() {
		this.blocked.countDown();
	}

	/** Does not answer before it is released. */
	private Health check() {
		this.checks.incrementAndGet();
		try {
			this.blocked.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.ended.incrementAndGet();
		return Health.up().build();
	}

	@Test
	void checkThatHangsIsInterruptedAndRepeated() {
		HealthIndicator bounded = new BoundedHealthIndicator("hanging", this::check, Duration.ofMillis(20));
		await().until(() -> {
			bounded.health();
			return this.checks.get() == 2;
		});
		assertThat(this.ended).hasValue(0);
	}

	@Test
	void checksDoNotPileUp() {
		HealthIndicator bounded = new BoundedHealthIndicator("slow", this::check, SHORT);
		bounded.health();
		bounded.health();
		assertThat(this.checks).hasValue(1);
		this.blocked.countDown();
		await().untilAsserted(() -> assertThat(this.ended).hasValue(1));
		assertThat(bounded.health().getStatus()).isEqualTo(Status.UP);
		assertThat(this.checks).hasValue(2);
	}

	@Test
	void lateAnswerIsUsedOnceIfTheNextCheckIsLateToo() {
		CountDownLatch second = new CountDownLatch(1);
		HealthIndicator bounded = new BoundedHealthIndicator("slow", () -> {
			if (this.checks.get() == 0) {
				return check();
			}
			try {
				second.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return Health.up().build();
		}, SHORT);
		try {
			assertThat(bounded.health().getStatus()).isEqualTo(Status.DOWN);
			this.blocked.countDown();
			await().untilAsserted(() -> assertThat(this.ended).hasValue(1));
			assertThat(bounded.health().getStatus()).isEqualTo(Status.UP);
			assertThat(bounded.health().getStatus()).isEqualTo(Status.DOWN);
		}
		finally {
			second.countDown();
		}
	}

	@Test
	void failureIsReported() {
		assertThat(new BoundedHealthIndicator("failing", () -> {
			throw new IllegalStateException("broken");
		}).health().getDetails().get("error").toString()).contains("broken");
	}

	@Test
	void everyIndicatorOfKairoIsDownWithinTheBoundIfItDoesNotAnswer() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoHealthAutoConfiguration.class))
			.withBean("kairoAnyHealthIndicator", HealthIndicator.class, () -> this::check)
			.withBean("applicationHealthIndicator", HealthIndicator.class, OfTheApplication::new)
			.run((context) -> {
				assertThat(context.getBean("kairoAnyHealthIndicator")).isInstanceOf(BoundedHealthIndicator.class);
				long start = System.nanoTime();
				Health health = context.getBean("kairoAnyHealthIndicator", HealthIndicator.class).health();
				assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(Duration.ofMillis(1900),
						Duration.ofSeconds(20));
				assertThat(health.getStatus()).isEqualTo(Status.DOWN);
				assertThat(health.getDetails()).containsEntry("problem", "did not answer within 2 s");
			});
	}

	@Test
	void sandboxThatHangsIsDescribed() {
		ExecutionSandbox sandbox = new ExecutionSandbox() {

			@Override
			public SandboxHandle start(SandboxRequest request) {
				check();
				throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "released", "none");
			}

			@Override
			public SandboxCapabilities capabilities() {
				return SandboxCapabilities.of("hanging", Set.of(), Map.of());
			}

		};
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(KairoHealthAutoConfiguration.class))
			.withBean(ExecutionSandbox.class, () -> sandbox)
			.run((context) -> assertThat(
					context.getBean("kairoSandboxHealthIndicator", HealthIndicator.class).health().getDetails())
				.containsEntry("backend", "hanging")
				.containsEntry("problem", "did not answer within 2 s"));
	}

	private static final class OfTheApplication implements HealthIndicator {

		@Override
		public Health health() {
			return Health.up().build();
		}

	}

}
