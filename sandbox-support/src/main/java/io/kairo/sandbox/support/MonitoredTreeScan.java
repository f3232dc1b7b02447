package io.kairo.sandbox.support;

import java.util.List;

/**
 * Finds what another scan finds, and spares the process that watches the command when the
 * members are asked to end: its end would end them by force.
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
		if (!process.equals(this.monitor)) {
			process.destroy();
		}
	}

	@Override
	public void forceAll() {
		this.other.forceAll();
	}

}
