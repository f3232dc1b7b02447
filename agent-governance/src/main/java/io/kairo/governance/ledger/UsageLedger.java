package io.kairo.governance.ledger;

import java.time.LocalDate;
import java.util.List;

/**
 * The store of the usage of tenants. Each method is atomic, also among all instances of
 * an application that share the store. Safe for use by several threads. Every method
 * throws {@link UsageLedgerException} if the store cannot be reached.
 */
public interface UsageLedger {

	/**
	 * Counts a command if the usage of its tenant leaves room for it. The command counts
	 * on the latest day that the ledger knows for the tenant, so that a clock that was
	 * set back does not reopen an earlier one. If it is not known whether the command was
	 * counted, this throws, and the command must not be started.
	 * @param tenant the id of the tenant
	 * @param day the current day
	 * @param budget the budget of the tenant for a day
	 * @return the day that the command counts for, or the usage that leaves no room
	 */
	Reservation reserve(String tenant, LocalDate day, Budget budget);

	/**
	 * Adds charges, all or none.
	 * @param id an id of these charges, up to 36 characters; if charges with it were
	 * added in the last days, nothing is added
	 * @param charges the charges
	 */
	void charge(String id, List<UsageCharge> charges);

	/**
	 * Returns the usage of a tenant.
	 * @param tenant the id of the tenant
	 * @param from the first day
	 * @return the usage of every day from then on that has one, the latest first
	 */
	List<DailyUsage> usage(String tenant, LocalDate from);

	/**
	 * Returns the usage of all tenants.
	 * @param from the first day
	 * @return the usage of the latest day of every tenant that has one from then on, in
	 * the order of the tenants
	 */
	List<DailyUsage> latest(LocalDate from);

	/**
	 * Removes the usage of days long ago.
	 * @param day the first day to keep
	 */
	void removeBefore(LocalDate day);

}
