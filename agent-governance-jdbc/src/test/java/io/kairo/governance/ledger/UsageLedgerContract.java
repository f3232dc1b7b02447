package io.kairo.governance.ledger;

import java.time.Duration;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * The contract of a {@link UsageLedger}.
 */
abstract class UsageLedgerContract {

	static final int THREADS = 32;

	static final LocalDate DAY = LocalDate.of(2026, 3, 1);

	static final LocalDate NEXT = DAY.plusDays(1);

	/**
	 * Opens the ledger of an instance. All instances in a test share their content.
	 */
	abstract UsageLedger open();

	static Budget executions(long maximum) {
		return new Budget(maximum, null, null);
	}

	static void charge(UsageLedger ledger, UsageCharge... charges) {
		ledger.charge(UUID.randomUUID().toString(), List.of(charges));
	}

	@Test
	void commandsAreCountedUpToTheBudget() {
		UsageLedger ledger = open();
		assertThat(ledger.reserve("acme", DAY, executions(2))).isEqualTo(new Reservation(DAY, null));
		assertThat(open().reserve("acme", DAY, executions(2))).isEqualTo(new Reservation(DAY, null));
		DailyUsage usage = new DailyUsage("acme", DAY, 2, 0, Duration.ZERO, 0);
		assertThat(open().reserve("acme", DAY, executions(2))).isEqualTo(new Reservation(DAY, usage));
		assertThat(ledger.usage("acme", DAY)).containsExactly(usage);
	}

	@Test
	void commandsAreCountedWithoutBudget() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, Budget.UNLIMITED);
		assertThat(ledger.usage("acme", DAY)).containsExactly(new DailyUsage("acme", DAY, 1, 0, Duration.ZERO, 0));
	}

	@Test
	void tenantsHaveBudgetsOfTheirOwn() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, executions(1));
		assertThat(ledger.reserve("acme", DAY, executions(1)).exhausted()).isNotNull();
		assertThat(ledger.reserve("Acme", DAY, executions(1)).exhausted()).isNull();
		assertThat(ledger.reserve("\u00e4 \u4e2d'", DAY, executions(1)).exhausted()).isNull();
	}

	@Test
	void commandIsRefusedAtTheCpuTimeOfTheBudget() {
		UsageLedger ledger = open();
		Budget budget = new Budget(null, Duration.ofSeconds(2), null);
		ledger.reserve("acme", DAY, budget);
		charge(ledger, UsageCharge.ended("acme", DAY, Duration.ofMillis(1999), 10));
		assertThat(ledger.reserve("acme", DAY, budget).exhausted()).isNull();
		charge(ledger, UsageCharge.ended("acme", DAY, Duration.ofMillis(1), 10));
		assertThat(ledger.reserve("acme", DAY, budget).exhausted())
			.isEqualTo(new DailyUsage("acme", DAY, 2, 0, Duration.ofSeconds(2), 20));
	}

	@Test
	void commandIsRefusedAtTheOutputOfTheBudget() {
		UsageLedger ledger = open();
		Budget budget = new Budget(null, null, 100L);
		ledger.reserve("acme", DAY, budget);
		charge(ledger, UsageCharge.ended("acme", DAY, null, 150));
		assertThat(ledger.reserve("acme", DAY, budget).exhausted())
			.isEqualTo(new DailyUsage("acme", DAY, 1, 1, Duration.ZERO, 150));
	}

	@Test
	void commandThatWasNotStartedIsNotCounted() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, executions(1));
		charge(ledger, UsageCharge.notStarted("acme", DAY));
		assertThat(ledger.reserve("acme", DAY, executions(1)).exhausted()).isNull();
	}

	@Test
	void nextDayHasAWholeBudget() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, executions(1));
		assertThat(ledger.reserve("acme", NEXT, executions(1))).isEqualTo(new Reservation(NEXT, null));
		assertThat(ledger.usage("acme", DAY)).extracting(DailyUsage::day).containsExactly(NEXT, DAY);
		assertThat(ledger.usage("acme", NEXT)).extracting(DailyUsage::day).containsExactly(NEXT);
	}

	@Test
	void earlierDayIsNotReopened() {
		UsageLedger ledger = open();
		ledger.reserve("acme", NEXT, executions(1));
		Reservation reservation = open().reserve("acme", DAY, executions(1));
		assertThat(reservation.day()).isEqualTo(NEXT);
		assertThat(reservation.exhausted()).isNotNull();
		assertThat(open().reserve("acme", DAY, executions(2))).isEqualTo(new Reservation(NEXT, null));
		assertThat(ledger.usage("acme", DAY)).extracting(DailyUsage::executions).containsExactly(2L);
		assertThat(ledger.reserve("other", DAY, executions(1))).isEqualTo(new Reservation(DAY, null));
	}

	@Test
	void chargeOfAnEarlierDayStaysThere() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, executions(1));
		ledger.reserve("acme", NEXT, executions(1));
		charge(ledger, UsageCharge.ended("acme", DAY, Duration.ofSeconds(1), 7));
		assertThat(ledger.usage("acme", DAY)).containsExactly(new DailyUsage("acme", NEXT, 1, 0, Duration.ZERO, 0),
				new DailyUsage("acme", DAY, 1, 0, Duration.ofSeconds(1), 7));
	}

	@Test
	void latestUsageOfEveryTenantIsListed() {
		UsageLedger ledger = open();
		ledger.reserve("b", DAY, Budget.UNLIMITED);
		ledger.reserve("a", DAY, Budget.UNLIMITED);
		ledger.reserve("a", NEXT, Budget.UNLIMITED);
		ledger.reserve("old", DAY.minusDays(1), Budget.UNLIMITED);
		assertThat(ledger.latest(DAY)).extracting(DailyUsage::tenant, DailyUsage::day)
			.containsExactly(tuple("a", NEXT), tuple("b", DAY));
	}

	@Test
	void daysLongAgoAreRemoved() {
		UsageLedger ledger = open();
		ledger.reserve("acme", DAY, Budget.UNLIMITED);
		ledger.reserve("acme", NEXT, Budget.UNLIMITED);
		ledger.removeBefore(NEXT);
		assertThat(ledger.usage("acme", DAY)).extracting(DailyUsage::day).containsExactly(NEXT);
		charge(ledger, UsageCharge.ended("acme", DAY, Duration.ofSeconds(1), 1));
		assertThat(ledger.usage("acme", DAY)).hasSize(2);
	}

	@Test
	void concurrentCommandsOfTwoInstancesDoNotExceedTheBudget() throws Exception {
		List<UsageLedger> instances = List.of(open(), open());
		Budget budget = executions(100);
		ExecutorService executor = Executors.newFixedThreadPool(2 * THREADS);
		try {
			CyclicBarrier start = new CyclicBarrier(2 * THREADS);
			List<Future<Integer>> counts = new ArrayList<>();
			for (int i = 0; i < 2 * THREADS; i++) {
				UsageLedger ledger = instances.get(i % 2);
				counts.add(executor.submit(() -> {
					start.await();
					int granted = 0;
					for (int attempt = 0; attempt < 3; attempt++) {
						granted += (ledger.reserve("acme", DAY, budget).exhausted() == null) ? 1 : 0;
						charge(ledger, UsageCharge.ended("acme", DAY, Duration.ofNanos(3), 5));
					}
					return granted;
				}));
			}
			int granted = 0;
			for (Future<Integer> count : counts) {
				granted += count.get();
			}
			assertThat(granted).isEqualTo(100);
		}
		finally {
			executor.shutdownNow();
		}
		int charges = 6 * THREADS;
		assertThat(open().usage("acme", DAY))
			.containsExactly(new DailyUsage("acme", DAY, 100, 0, Duration.ofNanos(3L * charges), 5L * charges));
	}

}
