package io.kairo.sandbox.support.process;

import java.util.List;
import java.util.Optional;

/**
 * Finds the processes of another scan, but does not ask the process that monitors the
 * command to end, since its end would kill the others. Processes that run the same
 * program are spared as well, such as a nested monitor.
 */
final class MonitoredTreeScan implements TreeScan {

	private final TreeScan other;

	private final ProcessHandle monitor;

	MonitoredTreeScan(TreeScan other, ProcessHandle monitor) {
		this.other = other;
		this.monitor = monitor;
	}

	/**
	 * Returns the live members. The monitor is one of them only if it is the last, since
	 * it waits for the others: as process 1, the JVM would inherit them and never do so.
	 */
	@Override
	public List<ProcessHandle> members() {
		List<ProcessHandle> all = this.other.members();
		return (all.size() < 2) ? all : all.stream().filter((member) -> !member.equals(this.monitor)).toList();
	}

	@Override
	public boolean isEmpty() {
		return this.other.isEmpty();
	}

	@Override
	public boolean ask(ProcessHandle process) {
		return !process.equals(this.monitor) && !isLikeMonitor(process) && this.other.ask(process);
	}

	private boolean isLikeMonitor(ProcessHandle process) {
		Optional<String> program = this.monitor.info().command();
		return program.isPresent() && program.equals(process.info().command());
	}

	@Override
	public void forceAll() {
		this.other.forceAll();
	}

}
