package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.linux.Child;
import io.kairo.linux.Spawn;
import io.kairo.sandbox.support.process.DomainProcess;
import io.kairo.sandbox.support.process.NativeProcess;

/**
 * A process in a domain that a thread of this JVM has entered for it.
 */
final class ConfinedProcess extends NativeProcess implements DomainProcess {

	private final CommandThread thread;

	private ConfinedProcess(Child child, CommandThread thread) throws IOException {
		super(child);
		this.thread = thread;
	}

	/**
	 * Prepares a process that waits at a gate.
	 * @param builder the process
	 * @param gated whether the process waits itself
	 */
	static Spawn prepare(ProcessBuilder builder, NativeDomains domains, boolean gated) throws IOException {
		Map<String, String> environment = builder.environment();
		List<String> command = gated ? builder.command()
				: Gate.before(builder.command(), environment, isTyped(builder));
		return new Spawn(domains.linux(), command, gated ? environment : Map.of(),
				Objects.requireNonNull(builder.directory(), "directory").toPath(), true, true);
	}

	private static boolean isTyped(ProcessBuilder builder) {
		return builder.redirectInput().type() == Redirect.Type.PIPE;
	}

	/**
	 * Opens the gate of a process that has been started.
	 * @param builder the process
	 * @param thread the thread that has started it, which ends with it
	 * @throws IOException if there are no more descriptors, or the process has ended;
	 * nothing is left then
	 */
	static ConfinedProcess open(ProcessBuilder builder, Spawn spawn, CommandThread thread) throws IOException {
		try {
			Child child = spawn.child();
			ConfinedProcess process = new ConfinedProcess(child, thread);
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
		catch (IOException | RuntimeException ex) {
			thread.end();
			throw ex;
		}
	}

	@Override
	public void killDomain() {
		destroyForcibly();
		this.thread.killDomain();
	}

	@Override
	public void close() {
		this.thread.end();
		super.close();
	}

}
