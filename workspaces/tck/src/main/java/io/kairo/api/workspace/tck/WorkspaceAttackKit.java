package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackKit;
import io.kairo.api.workspace.WritePolicy;

/**
 * The attacks of an agent on the surroundings of a workspace, as tests for a store or for
 * tools. A backend extends this class, creates an agent, and declares the attacks that it
 * does not hold.
 * <p>
 * Operations that an agent lacks, such as the creation of links, are performed for it, as
 * by a command or another process in the same workspace. The command {@code mkfifo} is
 * needed.
 */
public abstract class WorkspaceAttackKit extends AttackKit<WorkspaceScene> {

	/**
	 * Creates the kit.
	 */
	protected WorkspaceAttackKit() {
	}

	/**
	 * Creates an agent with a workspace.
	 * @param root the directory of the workspace, containing files; a backend that is not
	 * on disk ignores it
	 * @param policy the write policy for the agent
	 * @return an agent
	 * @throws IOException if it cannot be created; this fails the test
	 */
	protected abstract FileAgent createAgent(Path root, WritePolicy policy) throws IOException;

	/**
	 * Returns whether the workspace is a directory of this machine that other processes
	 * have access to.
	 * @return true by default
	 */
	protected boolean onDisk() {
		return true;
	}

	@Override
	protected List<Attack<WorkspaceScene>> attacks() {
		return Stream
			.of(PathAttacks.all(), LinkAttacks.all(), SwapAttacks.all(), FifoAttacks.all(), PolicyAttacks.all(),
					TrashAttacks.all(), UndoAttacks.all())
			.flatMap(List::stream)
			.toList();
	}

	@Override
	protected WorkspaceScene openScene() throws IOException {
		return new WorkspaceScene(this::createAgent, onDisk());
	}

}
