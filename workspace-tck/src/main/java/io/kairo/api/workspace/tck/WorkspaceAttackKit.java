package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackKit;
import io.kairo.api.workspace.WritePolicy;

/**
 * The attacks of an agent on what is around the files of a workspace, for a store or
 * tools above one to be held to. A backend extends this class, says how an agent is made,
 * and declares what it does not hold against.
 * <p>
 * What an agent cannot do by itself, such as making links, is done for it, as a command
 * or another process in the same workspace would. It uses {@code mkfifo}.
 *
 * @since 0.1.0
 */
public abstract class WorkspaceAttackKit extends AttackKit<WorkspaceScene> {

	/**
	 * Creates the kit.
	 */
	protected WorkspaceAttackKit() {
	}

	/**
	 * Makes an agent with a workspace.
	 * @param root the directory of the workspace, which has files in it; a backend that
	 * is not on the disk does not look at it
	 * @param policy what the agent may write
	 * @return an agent
	 * @throws IOException if it cannot be made, which fails the test
	 */
	protected abstract FileAgent createAgent(Path root, WritePolicy policy) throws IOException;

	/**
	 * Returns whether the workspace is a directory of this machine, to which others have
	 * access too.
	 * @return true unless overridden
	 */
	protected boolean onDisk() {
		return true;
	}

	@Override
	protected List<Attack<WorkspaceScene>> attacks() {
		return Stream.of(PathAttacks.all(), LinkAttacks.all(), SwapAttacks.all(), PolicyAttacks.all())
			.flatMap(List::stream)
			.toList();
	}

	@Override
	protected WorkspaceScene openScene() throws IOException {
		return new WorkspaceScene(this::createAgent, onDisk());
	}

}
