package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.attack.Attack;
import io.kairo.api.attack.AttackKit;
import io.kairo.api.sandbox.ExecutionSandbox;
import org.jspecify.annotations.Nullable;

/**
 * The attacks of commands on their surroundings as tests of a sandbox. A backend extends
 * this class, creates the sandbox and declares the attacks that it does not withstand.
 * <p>
 * A harmless attack also runs outside of the sandbox, and has to succeed there. An attack
 * that would harm the machine of the tests runs only behind a verified protection: in a
 * PID namespace, or with a limit. All connections are to listeners of the test.
 * <p>
 * The commands require a POSIX shell, a few of them {@code bash}, and the usual programs
 * of a Linux system, including {@code perl} and util-linux.
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
	 * is {@link AutoCloseable}. As far as the backend supports limits and can enforce
	 * them here, they should be 256 MiB of memory, 100 processes, 16 MiB for a file and
	 * 16 MiB for a temporary file system.
	 * @return a sandbox
	 */
	protected abstract ExecutionSandbox createSandbox();

	/**
	 * Returns a program that creates the sandbox in a separate JVM, starts a command in
	 * it, prints a line when the command runs, and waits to be killed.
	 * @param command the command
	 * @param workspace the workspace, empty
	 * @return the arguments of the program; null, the default, if there is none
	 */
	protected @Nullable List<String> programThatStays(String command, Path workspace) {
		return null;
	}

	/**
	 * Counts the live processes of this machine and of sandboxes with an argument.
	 * Overridden by a backend whose processes do not run on this machine.
	 * @param argument a number that occurs in no other command line
	 * @return number of processes of this machine with the argument, unless overridden
	 */
	protected int countProcesses(String argument) {
		return HostProcesses.withArgument(argument).size();
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
			// the first command and the first sockets create resources that the JVM keeps
			this.warm = true;
			SandboxScene scene = scene();
			scene.run("true");
			try (Listeners listeners = new Listeners("")) {
				listeners.tcp(InetAddress.getLoopbackAddress());
				listeners.udp();
				listeners.unix(scene.beside("sockets").resolve("warm"));
			}
			scene.close();
		}
		return scene();
	}

	private SandboxScene scene() throws IOException {
		return new SandboxScene(this::createSandbox, this::programThatStays, this::countProcesses);
	}

}
