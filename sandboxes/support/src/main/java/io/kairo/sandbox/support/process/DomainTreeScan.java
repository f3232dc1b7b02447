package io.kairo.sandbox.support.process;

import java.util.List;

/**
 * A scan of a tree that cannot leave a domain of the kernel: members that another scan
 * finds are asked to end, and in the end the whole domain is killed.
 *
 * @param domain the process with the domain
 * @param scan finds members
 */
record DomainTreeScan(DomainProcess domain, TreeScan scan) implements TreeScan {

	@Override
	public List<ProcessHandle> members() {
		return this.scan.members();
	}

	@Override
	public boolean isEmpty() {
		return this.scan.isEmpty();
	}

	@Override
	public boolean isCertainlyEmpty() {
		return this.scan.isCertainlyEmpty();
	}

	@Override
	public boolean ask(ProcessHandle process) {
		return this.scan.ask(process);
	}

	@Override
	public void forceAll() {
		this.domain.killDomain();
	}

	@Override
	public void killUnseen() {
		this.domain.killDomain();
	}

}
