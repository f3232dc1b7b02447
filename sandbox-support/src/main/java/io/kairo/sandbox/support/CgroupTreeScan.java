package io.kairo.sandbox.support;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the members of a control group, and what another scan finds: a process is in no
 * group before it has joined it.
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
	 * The group alone tells: what the process started became a member with its first
	 * moment, and a group without members never gets one again. That makes no difference
	 * to how many other processes there are.
	 */
	@Override
	public boolean isEmpty() {
		return this.group.isEmpty();
	}

	@Override
	public void ask(ProcessHandle process) {
		this.other.ask(process);
	}

	@Override
	public void forceAll() {
		this.group.kill();
	}

}
