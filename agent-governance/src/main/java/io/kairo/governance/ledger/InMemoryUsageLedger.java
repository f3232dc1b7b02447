package io.kairo.governance.ledger;

import java.time.LocalDate;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * A ledger in memory, for an application with one instance. The usage is lost when it
 * ends.
 */
public final class InMemoryUsageLedger implements UsageLedger {

	/** By tenant and day; guarded by this. */
	private final NavigableMap<String, NavigableMap<LocalDate, DailyUsage>> usages = new TreeMap<>();

	/**
	 * Creates an empty ledger.
	 */
	public InMemoryUsageLedger() {
	}

	@Override
	public synchronized Reservation reserve(String tenant, LocalDate day, Budget budget) {
		NavigableMap<LocalDate, DailyUsage> days = this.usages.computeIfAbsent(tenant, (id) -> new TreeMap<>());
		LocalDate counted = (days.isEmpty() || days.lastKey().isBefore(day)) ? day : days.lastKey();
		DailyUsage usage = days.computeIfAbsent(counted, (absent) -> DailyUsage.none(tenant, absent));
		if (!budget.allows(usage)) {
			return new Reservation(counted, usage);
		}
		days.put(counted, new DailyUsage(tenant, counted, usage.executions() + 1, usage.unmeasured(), usage.cpuTime(),
				usage.outputBytes()));
		return new Reservation(counted, null);
	}

	/**
	 * {@inheritDoc} It never fails, so that no charge is repeated: the id is ignored.
	 */
	@Override
	public synchronized void charge(String id, List<UsageCharge> charges) {
		for (UsageCharge charge : charges) {
			this.usages.computeIfAbsent(charge.tenant(), (tenant) -> new TreeMap<>())
				.compute(charge.day(),
						(day, usage) -> ((usage != null) ? usage : DailyUsage.none(charge.tenant(), day)).plus(charge));
		}
	}

	@Override
	public synchronized List<DailyUsage> usage(String tenant, LocalDate from) {
		NavigableMap<LocalDate, DailyUsage> days = this.usages.get(tenant);
		return (days != null) ? List.copyOf(days.tailMap(from, true).descendingMap().values()) : List.of();
	}

	@Override
	public synchronized List<DailyUsage> latest(LocalDate from) {
		return this.usages.values()
			.stream()
			.filter((days) -> !days.isEmpty())
			.map((days) -> days.lastEntry().getValue())
			.filter((usage) -> !usage.day().isBefore(from))
			.toList();
	}

	@Override
	public synchronized void removeBefore(LocalDate day) {
		this.usages.values().forEach((days) -> days.headMap(day, false).clear());
		this.usages.values().removeIf(NavigableMap::isEmpty);
	}

}
