package io.kairo.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.task.AgentRecord;
import io.kairo.workspace.task.AgentTree;
import io.kairo.workspace.task.InMemoryAgentRegistry;

/**
 * The look-up of an agent's workspace beside walking up a map of parents.
 */
final class AgentTreeBenchmarks {

	private static final int DEPTH = 50;

	private static final int LOOK_UPS = 1000;

	private final AgentTree tree = new AgentTree(new InMemoryAgentRegistry());

	private final Map<String, String> parents = new HashMap<>();

	private final List<String> asked = new ArrayList<>();

	AgentTreeBenchmarks(int agents) {
		List<String> leaves = new ArrayList<>();
		for (int chain = 0; chain < agents / DEPTH; chain++) {
			String parent = AgentRecord.ROOT;
			for (int depth = 0; depth < DEPTH; depth++) {
				String agent = "agent-" + chain + "-" + depth;
				this.tree.register(agent, parent);
				this.parents.put(agent, parent);
				parent = agent;
			}
			leaves.add(parent);
		}
		Random random = new Random(1);
		for (int i = 0; i < LOOK_UPS; i++) {
			this.asked.add(leaves.get(random.nextInt(leaves.size())));
		}
	}

	List<Comparison> comparisons() {
		return List.of(new Comparison("1000 look-ups at depth 50 in a task tree of " + this.parents.size(),
				"walk up a HashMap", 0.5, () -> {
					long sum = 0;
					for (String agent : this.asked) {
						sum += this.tree.workspaceOf(TenantContext.SINGLE, agent).hashCode();
					}
					return sum;
				}, () -> {
					long sum = 0;
					for (String agent : this.asked) {
						sum += top(agent).hashCode();
					}
					return sum;
				}));
	}

	private String top(String agent) {
		String current = agent;
		String parent = this.parents.get(agent);
		while (parent != null && !parent.equals(AgentRecord.ROOT)) {
			current = parent;
			parent = this.parents.get(current);
		}
		return current;
	}

}
