package io.kairo.sandbox.support.process;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the members of a control group and the processes found by another scan, since a
 * process is not a member before it has joined.
 */
final class CgroupTreeScan implements TreeScan {

	private final Cgroup group;

	private final TreeScan other;

	CgroupTreeScan(Cgroup group, TreeScan other) {
		this.group = group;
		this.other = other;
	}

	@Override
	public List<ProcessHandle> members() {
		Set<ProcessHandle> members = new LinkedHashSet<>(this.other.members());
		members.addAll(this.group.processes());
		return new ArrayList<>(members);
	}

	/**
	 * Asks the group alone: every child of a member is a member from the start, and a
	 * group without members stays empty. The cost does not depend on the number of other
	 * processes.
	 */
	@Override
	public boolean isEmpty() {
		return this.group.isEmpty();
	}

	@Override
	public boolean ask(ProcessHandle process) {
		return this.other.ask(process);
	}

	@Override
	public void forceAll() {
		this.group.kill();
	}

}
