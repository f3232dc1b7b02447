package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.linux.Child;
import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.sandbox.support.process.DomainProcess;
import io.kairo.sandbox.support.process.NativeProcess;

/**
 * A process in a domain that a thread of this JVM has entered for it.
 */
final class ConfinedProcess extends NativeProcess implements DomainProcess {

	private final NativeDomain domain;

	private final ConfinedThread starter;

	private ConfinedProcess(Child child, NativeDomain domain, ConfinedThread starter) throws IOException {
		super(child);
		this.domain = domain;
		this.starter = starter;
	}

	/**
	 * Prepares a process that waits at a gate.
	 * @param builder the process
	 * @param gated whether the process waits itself
	 */
	static Spawn prepare(ProcessBuilder builder, NativeLinux linux, boolean gated) throws IOException {
		Map<String, String> environment = builder.environment();
		List<String> command = gated ? builder.command()
				: Gate.before(builder.command(), environment, isTyped(builder));
		return new Spawn(linux, command, gated ? environment : Map.of(),
				Objects.requireNonNull(builder.directory(), "directory").toPath(), true, true);
	}

	private static boolean isTyped(ProcessBuilder builder) {
		return builder.redirectInput().type() == Redirect.Type.PIPE;
	}

	/**
	 * Opens the gate of a process that has been started.
	 * @param builder the process
	 * @param domain kills its domain
	 * @param starter the thread that has started it
	 * @throws IOException if there are no more descriptors, or the process has ended;
	 * nothing is left then
	 */
	static ConfinedProcess open(ProcessBuilder builder, Spawn spawn, NativeDomain domain, ConfinedThread starter)
			throws IOException {
		Child child = spawn.child();
		ConfinedProcess process = new ConfinedProcess(child, domain, starter);
		try {
			OutputStream input = child.input();
			input.write('\n');
			if (!isTyped(builder)) {
				input.close();
			}
			return process;
		}
		catch (IOException ex) {
			child.kill();
			throw ex;
		}
	}

	@Override
	public void killDomain() {
		destroyForcibly();
		this.domain.kill(this.starter);
	}

}
