package io.kairo.governance.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxLimitException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Budgets}.
 */
class BudgetsTests {

	private static final Budget THREE = new Budget(3L, Duration.ofSeconds(90), 1000L);

	private final MutableClock clock = new MutableClock("2026-03-01T22:00:00Z");

	private final FailingLedger ledger = new FailingLedger();

	private Budgets budgets = budgets(THREE, BudgetOptions.DEFAULTS);

	private Budgets budgets(Budget budget, BudgetOptions options) {
		return new Budgets(this.ledger, (tenant) -> budget, options, this.clock, this.clock::nanoTime);
	}

	@AfterEach
	void close() {
		this.budgets.close();
	}

	private SandboxLimitException exceeded() {
		return catchThrowableOfType(SandboxLimitException.class, () -> this.budgets.reserve("acme"));
	}

	private SandboxErrorCode refusal() {
		return catchThrowableOfType(SandboxException.class, () -> this.budgets.reserve("acme")).code();
	}

	@Test
	void usedUpCommandsAreRefusedUntilTheNextDay() {
		for (int i = 0; i < 3; i++) {
			this.budgets.reserve("acme");
		}
		SandboxLimitException refusal = exceeded();
		assertThat(refusal.code()).isEqualTo(SandboxErrorCode.BUDGET_EXCEEDED);
		assertThat(refusal.limit()).isEqualTo("executions-per-day");
		assertThat(refusal.maximum()).isEqualTo(3);
		assertThat(refusal.retryAfter()).isEqualTo(Duration.ofHours(2));
		assertThat(refusal)
			.hasMessage("The 3 commands of a day are used up: try again in 7,200 s, " + "when the next day begins");
		this.clock.pass(Duration.ofHours(2).minusMillis(1));
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofMillis(1));
		this.clock.pass(Duration.ofMillis(1));
		this.budgets.reserve("acme");
		assertThat(this.budgets.status("acme").usage().executions()).isEqualTo(1);
	}

	@Test
	void commandMayExceedTheCpuTimeAndTheNextIsRefused() {
		this.budgets.reserve("acme").ended(Duration.ofSeconds(500), 1);
		SandboxLimitException refusal = exceeded();
		assertThat(refusal.limit()).isEqualTo("cpu-time-per-day");
		assertThat(refusal.maximum()).isEqualTo(90);
		assertThat(refusal.problem()).isEqualTo("The 90 s of CPU time of a day are used up");
	}

	@Test
	void commandMayExceedTheOutputAndTheNextIsRefused() {
		this.budgets.reserve("acme").ended(Duration.ZERO, 5000);
		SandboxLimitException refusal = exceeded();
		assertThat(refusal.limit()).isEqualTo("output-per-day");
		assertThat(refusal.problem()).isEqualTo("The 1,000 bytes of output of a day are used up");
	}

	@Test
	void commandWithoutMeasurementIsCountedAsSuch() {
		this.budgets.reserve("acme").ended(null, 1);
		this.budgets.reserve("acme");
		assertThat(this.budgets.status("acme").usage())
			.isEqualTo(new DailyUsage("acme", LocalDate.of(2026, 3, 1), 2, 1, Duration.ZERO, 1));
	}

	@Test
	void commandIsChargedOnce() {
		ReservedCommand command = this.budgets.reserve("acme");
		command.ended(Duration.ofSeconds(1), 1);
		command.ended(Duration.ofSeconds(1), 1);
		command.notStarted();
		this.budgets.reserve("acme");
		assertThat(this.budgets.status("acme").usage().cpuTime()).isEqualTo(Duration.ofSeconds(1));
		assertThat(this.budgets.status("acme").usage().executions()).isEqualTo(2);
	}

	@Test
	void commandThatEndsOnTheNextDayIsChargedToItsOwn() {
		ReservedCommand command = this.budgets.reserve("acme");
		this.clock.pass(Duration.ofHours(3));
		this.budgets.reserve("acme");
		command.ended(Duration.ofSeconds(500), 1);
		this.budgets.reserve("acme");
		assertThat(this.budgets.history("acme")).extracting(DailyUsage::executions, DailyUsage::cpuTime)
			.containsExactly(tuple(2L, Duration.ZERO), tuple(1L, Duration.ofSeconds(500)));
	}

	@Test
	void clockThatIsSetBackDoesNotReopenADay() {
		this.clock.pass(Duration.ofHours(3));
		for (int i = 0; i < 3; i++) {
			this.budgets.reserve("acme");
		}
		this.clock.set("2026-03-01T12:00:00Z");
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofHours(23));
		this.clock.pass(Duration.ofHours(1));
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofHours(22));
		this.clock.pass(Duration.ofHours(22));
		this.budgets.reserve("acme");
	}

	@Test
	void clockThatIsSetBackBeforeARestartDoesNotReopenADay() {
		this.clock.pass(Duration.ofHours(3));
		for (int i = 0; i < 3; i++) {
			this.budgets.reserve("acme");
		}
		this.clock.set("2026-03-01T12:00:00Z");
		this.budgets.close();
		this.budgets = budgets(THREE, BudgetOptions.DEFAULTS);
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofHours(36));
		assertThat(this.budgets.status("acme").resets()).isEqualTo(Instant.parse("2026-03-03T00:00:00Z"));
	}

	@Test
	void dayBeginsAtMidnightOfTheZone() {
		this.budgets.close();
		this.budgets = budgets(THREE, new BudgetOptions(ZoneId.of("Europe/Berlin"), 90, 10));
		for (int i = 0; i < 3; i++) {
			this.budgets.reserve("acme");
		}
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofHours(1));
		// the day on which summer time begins has 23 hours
		this.clock.set("2026-03-28T23:00:00Z");
		for (int i = 0; i < 3; i++) {
			this.budgets.reserve("acme");
		}
		assertThat(exceeded().retryAfter()).isEqualTo(Duration.ofHours(23));
	}

	@Test
	void failingLedgerRefusesCommandsAtTheStart() {
		this.ledger.failing(true);
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> this.budgets.reserve("acme"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("secret-host"))
			.withCauseInstanceOf(UsageLedgerException.class);
		this.ledger.failing(false);
		this.budgets.reserve("acme");
		assertThat(this.budgets.status("acme").usage().executions()).isEqualTo(1);
	}

	@Test
	void chargesAreKeptWhileTheLedgerFails() {
		ReservedCommand first = this.budgets.reserve("acme");
		ReservedCommand second = this.budgets.reserve("other");
		this.ledger.failing(true);
		first.ended(Duration.ofSeconds(2), 20);
		second.ended(Duration.ofSeconds(3), 30);
		assertThat(refusal()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE);
		assertThat(this.budgets.pendingCharges()).isEqualTo(2);
		this.ledger.failing(false);
		await().until(() -> this.budgets.pendingCharges() == 0);
		assertThat(this.budgets.statuses()).extracting((status) -> status.usage().cpuTime())
			.containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(3));
	}

	@Test
	void commandsAreRefusedWhenThereIsNoPlaceForTheirCharges() {
		this.budgets.close();
		this.budgets = budgets(Budget.UNLIMITED, new BudgetOptions(ZoneOffset.UTC, 90, 2));
		ReservedCommand first = this.budgets.reserve("acme");
		ReservedCommand second = this.budgets.reserve("acme");
		assertThat(refusal()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE);
		this.ledger.failing(true);
		first.ended(null, 1);
		second.notStarted();
		assertThat(refusal()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE);
		this.ledger.failing(false);
		await().until(() -> this.budgets.pendingCharges() == 0);
		this.budgets.reserve("acme");
		this.budgets.reserve("acme");
		assertThat(refusal()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE);
	}

	@Test
	void commandsDoNotWaitForALedgerThatHangsOneByOne() throws Exception {
		CountDownLatch hanging = new CountDownLatch(1);
		Set<String> writers = ConcurrentHashMap.newKeySet();
		this.budgets.reserve("acme");
		ReservedCommand command = this.budgets.reserve("acme");
		this.ledger.beforeCharge(() -> {
			writers.add(Thread.currentThread().getName());
			hanging.await();
			throw new UsageLedgerException("timeout", null);
		});
		command.ended(Duration.ofSeconds(1), 1);
		await().until(() -> !writers.isEmpty());
		List<FutureTask<SandboxErrorCode>> refusals = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			FutureTask<SandboxErrorCode> refusal = new FutureTask<>(this::refusal);
			refusals.add(refusal);
			threads.add(new Thread(refusal, "caller"));
		}
		threads.forEach(Thread::start);
		await().until(() -> threads.stream().allMatch((thread) -> thread.getState() == Thread.State.WAITING));
		hanging.countDown();
		for (FutureTask<SandboxErrorCode> refusal : refusals) {
			assertThat(refusal.get()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE);
		}
		assertThat(writers).containsExactly("kairo-usage");
		this.ledger.beforeCharge(() -> null);
		await().until(() -> this.budgets.pendingCharges() == 0);
	}

	@Test
	void refusedCommandTakesNoPlace() {
		this.budgets.close();
		this.budgets = budgets(new Budget(1L, null, null), new BudgetOptions(ZoneOffset.UTC, 90, 2));
		this.budgets.reserve("acme");
		for (int i = 0; i < 5; i++) {
			assertThat(refusal()).isEqualTo(SandboxErrorCode.BUDGET_EXCEEDED);
		}
		this.budgets.reserve("other");
	}

	@Test
	void chargesAreWrittenBeforeTheEnd() {
		this.budgets.reserve("acme").ended(Duration.ofSeconds(1), 1);
		this.budgets.close();
		assertThat(this.budgets.pendingCharges()).isZero();
	}

	@Test
	void usageOfDaysLongAgoIsRemoved() {
		this.budgets.close();
		this.budgets = budgets(THREE, new BudgetOptions(ZoneOffset.UTC, 2, 10));
		for (int day = 0; day < 4; day++) {
			this.budgets.reserve("acme");
			this.clock.pass(Duration.ofDays(1));
		}
		assertThat(this.ledger.usage("acme", LocalDate.EPOCH)).extracting(DailyUsage::day)
			.containsExactly(LocalDate.of(2026, 3, 4), LocalDate.of(2026, 3, 3));
	}

	@Test
	void invalidValuesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Budget(0L, null, null))
			.withMessage("executions is 0: it must be positive");
		assertThatIllegalArgumentException().isThrownBy(() -> new Budget(null, Duration.ZERO, null));
		assertThatIllegalArgumentException().isThrownBy(() -> new Budget(null, Duration.ofDays(100_001), null));
		assertThatIllegalArgumentException().isThrownBy(() -> new Budget(null, null, -1L));
		assertThatIllegalArgumentException().isThrownBy(() -> new BudgetOptions(ZoneOffset.UTC, 1, 1));
		assertThatIllegalArgumentException().isThrownBy(() -> new BudgetOptions(ZoneOffset.UTC, 2, 0));
	}

}
