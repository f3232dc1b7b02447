package io.kairo.sandbox.support;

import java.util.List;
import java.util.Optional;

/**
 * Finds what another scan finds, and spares the process that watches the command when the
 * members are asked to end: its end would end them by force. So it does with others that
 * run the same program, such as one that is within another one.
 */
final class MonitoredTreeScan implements TreeScan {

	private final TreeScan other;

	private final ProcessHandle monitor;

	MonitoredTreeScan(TreeScan other, ProcessHandle monitor) {
		this.other = other;
		this.monitor = monitor;
	}

	@Override
	public List<ProcessHandle> members() {
		return this.other.members();
	}

	@Override
	public boolean isEmpty() {
		return this.other.isEmpty();
	}

	@Override
	public void ask(ProcessHandle process) {
		if (!process.equals(this.monitor) && !isLikeMonitor(process)) {
			process.destroy();
		}
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
