package io.kairo.sandbox.support.process;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Finds the descendants of a process with the means of the Java platform. Descendants
 * found earlier stay members, even if they have lost their parent since.
 */
final class DescendantTreeScan implements TreeScan {

	private final Set<ProcessHandle> known = new LinkedHashSet<>();

	DescendantTreeScan(ProcessHandle root) {
		this.known.add(root);
	}

	@Override
	public List<ProcessHandle> members() {
		for (ProcessHandle member : List.copyOf(this.known)) {
			if (member.isAlive()) {
				member.descendants().forEach(this.known::add);
			}
		}
		List<ProcessHandle> alive = new ArrayList<>(this.known);
		alive.removeIf((member) -> !member.isAlive());
		return alive;
	}

}
