package io.kairo.api.sandbox.tck;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackKit;
import io.kairo.api.sandbox.ExecutionSandbox;
import org.jspecify.annotations.Nullable;

/**
 * The attacks of commands on what is around them, for a sandbox to be held to. A backend
 * extends this class, says how a sandbox is made, and declares what it does not hold
 * against.
 * <p>
 * An attack runs outside of the sandbox as well, where that harms nobody, and has to
 * succeed there. One that would harm the machine of the tests is run behind what was seen
 * to hold it only: in a PID namespace, or under a limit. All connections are to listeners
 * of the test.
 * <p>
 * The commands are for a shell of the sh kind, {@code bash} for a few, and use the usual
 * programs of a Linux system, {@code perl} and those of util-linux among them.
 *
 * @since 0.1.0
 */
public abstract class SandboxAttackKit extends AttackKit<SandboxScene> {

	private boolean warm;

	/**
	 * Creates the kit.
	 */
	protected SandboxAttackKit() {
	}

	/**
	 * Creates the sandbox to attack. Called once for each attack; closed afterwards if it
	 * is {@link AutoCloseable}. Of the limits that the backend has and can enforce here
	 * it should have 256 MiB of memory, 100 processes, files of 16 MiB and file systems
	 * for temporary files of 16 MiB.
	 * @return a sandbox
	 */
	protected abstract ExecutionSandbox createSandbox();

	/**
	 * Returns a program that creates the sandbox in a JVM of its own, starts a command in
	 * it, prints a line when that runs, and waits to be killed.
	 * @param command the command
	 * @param workspace the workspace, empty
	 * @return the arguments of the program; null if there is none, as unless overridden
	 */
	protected @Nullable List<String> programThatStays(String command, Path workspace) {
		return null;
	}

	@Override
	protected List<Attack<SandboxScene>> attacks() {
		return Stream
			.of(ConfigAttacks.all(), FileAttacks.all(), ProcessAttacks.all(), KernelAttacks.all(),
					ResourceAttacks.all(), NetworkAttacks.all(), SecretAttacks.all(), OutputAttacks.all())
			.flatMap(List::stream)
			.toList();
	}

	@Override
	protected SandboxScene openScene() throws Exception {
		if (!this.warm) {
			// what a JVM makes for its first command, and its first sockets, stays
			this.warm = true;
			SandboxScene scene = new SandboxScene(this::createSandbox, this::programThatStays);
			scene.run("true");
			try (Listeners listeners = new Listeners("")) {
				listeners.tcp(InetAddress.getLoopbackAddress());
				listeners.udp();
				listeners.unix(scene.beside("sockets").resolve("warm"));
			}
			scene.close();
		}
		return new SandboxScene(this::createSandbox, this::programThatStays);
	}

}
