package io.kairo.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToIntFunction;

import io.kairo.api.tenant.TenantContext;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.workspace.task.AgentRecord;
import io.kairo.workspace.task.AgentTree;
import io.kairo.workspace.task.InMemoryAgentRegistry;

/**
 * The look-up of an agent's workspace beside walking up a map of parents.
 *
 * @param sizes the amount of work
 */
record AgentTreeBenchmarks(Sizes sizes) {

	private static final int DEPTH = 50;

	private static final int LOOK_UPS = 1000;

	List<Comparison> comparisons() {
		return List.of(new Comparison("1,000 look-ups at depth 50 in a task tree of %,d".formatted(this.sizes.agents()),
				"walk up a HashMap", 0.5, (scratch) -> sides()));
	}

	private Sides sides() {
		AgentTree tree = new AgentTree(new InMemoryAgentRegistry());
		Map<String, String> parents = new HashMap<>();
		List<String> leaves = new ArrayList<>();
		for (int chain = 0; chain < this.sizes.agents() / DEPTH; chain++) {
			String parent = AgentRecord.ROOT;
			for (int depth = 0; depth < DEPTH; depth++) {
				String agent = "agent-" + chain + "-" + depth;
				tree.register(agent, parent);
				parents.put(agent, parent);
				parent = agent;
			}
			leaves.add(parent);
		}
		Random random = new Random(1);
		List<String> asked = random.ints(LOOK_UPS, 0, leaves.size()).mapToObj(leaves::get).toList();
		return new Sides(sum(asked, (agent) -> tree.workspaceOf(TenantContext.SINGLE, agent).hashCode()),
				sum(asked, (agent) -> top(parents, agent).hashCode()));
	}

	private static Work<Long> sum(List<String> agents, ToIntFunction<String> lookUp) {
		return Work.of(() -> {
			long sum = 0;
			for (String agent : agents) {
				sum += lookUp.applyAsInt(agent);
			}
			return sum;
		});
	}

	private static String top(Map<String, String> parents, String agent) {
		String current = agent;
		String parent = parents.get(agent);
		while (parent != null && !parent.equals(AgentRecord.ROOT)) {
			current = parent;
			parent = parents.get(current);
		}
		return current;
	}

}
