package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackGroup;
import io.kairo.api.attack.AttackOutcome;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.Trees;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Attacks that swap entries for links to targets outside while an agent works. The system
 * property {@code kairo.stress=long} increases the number of rounds, as far as they are
 * made within 20 seconds per attack.
 */
final class SwapAttacks {

	private static final int ROUNDS = "long".equals(System.getProperty("kairo.stress")) ? 10_000 : 100;

	/** Rounds that are made however long they take, such as on a slow disk. */
	private static final int LEAST_ROUNDS = 50;

	private static final long LONGEST = TimeUnit.SECONDS.toNanos(20);

	private SwapAttacks() {
	}

	static List<Attack<WorkspaceScene>> all() {
		return List.of(
				swap("swap-file", "swaps a file for a link while it is read and written", "inside", "outside/secret",
						(agent) -> List.of(agent.read("inside"), agent.write("inside", WorkspaceScene.INSIDE))),
				swap("swap-parent", "swaps the directory above for a link while a file is read and written", "dir",
						"outside",
						(agent) -> List.of(agent.read("dir/secret"), agent.write("dir/drop/x", WorkspaceScene.INSIDE),
								agent.read("dir/sub/file"))),
				swap("swap-while-walking", "swaps a directory for a link while all is listed and searched", "dir",
						"outside", (agent) -> List.of(agent.list("."), agent.find(".", "SECRET"))),
				new Attack<>("swap-while-restoring", AttackGroup.RACE,
						"swaps the directory above for a link while files are removed and restored",
						AttackOutcome.DENIED,
						(scene) -> (scene.onDisk() && scene.hasTrash()) ? race(scene, "dir", "outside",
								(agent) -> List.of(agent.remove("dir/secret"), agent.restore("dir/secret", null),
										agent.remove("dir/sub/file"), agent.restore("dir/sub/file", null)))
								: Finding.ABSENT),
				new Attack<>("swap-while-undoing", AttackGroup.RACE,
						"swaps the directory above for a link while changes are made, undone and redone",
						AttackOutcome.DENIED,
						(scene) -> (scene.onDisk() && scene.hasUndo())
								? race(scene, "dir", "outside",
										(agent) -> List.of(agent.write("dir/secret", WorkspaceScene.INSIDE),
												agent.remove("dir/sub/file"), agent.changes(), agent.undo(),
												agent.redo(), agent.undo(), agent.undo(), agent.changes()))
								: Finding.ABSENT),
				new Attack<>("swap-while-committing", AttackGroup.RACE,
						"swaps the directory above for a link while changes are tried and committed",
						AttackOutcome.DENIED,
						(scene) -> (scene.onDisk() && scene.hasUndo())
								? race(scene, "dir", "outside",
										(agent) -> List.of(agent
											.tried((inTrial) -> inTrial.write("dir/secret", WorkspaceScene.INSIDE)),
												agent.tried((inTrial) -> inTrial.remove("dir/sub")), agent.undo()))
								: Finding.ABSENT),
				swap("swap-root", "swaps the workspace itself for a link", "", "outside",
						(agent) -> List.of(agent.read("secret"), agent.write("drop/x", WorkspaceScene.INSIDE),
								agent.find(".", "SECRET"))));
	}

	private static Attack<WorkspaceScene> swap(String id, String description, String name, String other, Work work) {
		return new Attack<>(id, AttackGroup.RACE, description, AttackOutcome.DENIED,
				(scene) -> scene.onDisk() ? race(scene, name, other, work) : Finding.ABSENT);
	}

	private static Finding race(WorkspaceScene scene, String name, String other, Work work) throws Exception {
		Path inside = scene.root().resolve(name);
		Path victim = name.isEmpty() ? scene.root() : inside;
		Path parked = scene.beside("parked");
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger swaps = new AtomicInteger();
		Thread attacker = new Thread(() -> {
			while (!over.get()) {
				try {
					replaceByLink(victim, parked, scene.beside(other));
					swaps.incrementAndGet();
				}
				catch (IOException ex) {
					// the agent was faster
				}
				restore(victim, parked);
			}
		}, "attacker");
		attacker.start();
		try {
			Finding finding = Finding.HELD;
			int met = 0;
			long started = System.nanoTime();
			for (int round = 0; round < ROUNDS
					&& (round < LEAST_ROUNDS || System.nanoTime() - started < LONGEST); round++) {
				int before = swaps.get();
				if (scene.judge("round " + round, work.by(scene.agent())) == Finding.BROKEN) {
					finding = Finding.BROKEN;
				}
				met += (swaps.get() > before) ? 1 : 0;
			}
			assertThat(met).as("rounds with at least one swap").isPositive();
			return finding;
		}
		finally {
			over.set(true);
			attacker.join();
		}
	}

	private static void replaceByLink(Path victim, Path parked, Path outside) throws IOException {
		Files.move(victim, parked, StandardCopyOption.ATOMIC_MOVE);
		Files.createSymbolicLink(victim, outside);
	}

	private static void restore(Path victim, Path parked) {
		try {
			if (Files.isSymbolicLink(victim)) {
				Files.delete(victim);
			}
			if (Files.exists(parked, LinkOption.NOFOLLOW_LINKS)) {
				if (Files.exists(victim, LinkOption.NOFOLLOW_LINKS)) {
					Trees.delete(victim);
				}
				Files.move(parked, victim, StandardCopyOption.ATOMIC_MOVE);
			}
		}
		catch (IOException ex) {
			// the agent was faster; the next round tries again
		}
	}

	/**
	 * The operation of the agent in a round.
	 */
	@FunctionalInterface
	private interface Work {

		List<FileAgent.Answer> by(FileAgent agent);

	}

}
