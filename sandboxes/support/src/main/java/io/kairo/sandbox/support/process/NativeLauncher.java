package io.kairo.sandbox.support.process;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Objects;

import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes by {@link Spawn}. This takes half as long as with the means of the
 * Java platform, since that starts a program in between. Safe for use by several threads.
 */
public final class NativeLauncher implements DirectLauncher {

	private final NativeLinux linux;

	private final Starter starter;

	private NativeLauncher(NativeLinux linux, Starter starter) {
		this.linux = linux;
		this.starter = starter;
	}

	/**
	 * Returns a launcher if this JVM can start processes itself.
	 * @return the launcher; null if there is a {@link #problem()}
	 */
	public static @Nullable NativeLauncher find() {
		return Found.LAUNCHER;
	}

	/**
	 * Returns the problem that prevents this JVM from starting processes itself.
	 * @return the problem, or null if there is none
	 */
	public static @Nullable String problem() {
		return Found.PROBLEM;
	}

	/**
	 * Returns a launcher that starts processes elsewhere, such as on another thread.
	 * @param starter starts prepared processes
	 * @return the launcher
	 */
	public NativeLauncher with(Starter starter) {
		return new NativeLauncher(this.linux, starter);
	}

	@Override
	public NativeProcess launch(ProcessBuilder builder) throws IOException {
		File directory = Objects.requireNonNull(builder.directory(), "directory");
		boolean input = builder.redirectInput().type() == Redirect.Type.PIPE;
		try (Spawn spawn = new Spawn(this.linux, builder.command(), builder.environment(), directory.toPath(), input,
				true)) {
			this.starter.start(spawn);
			return new NativeProcess(spawn.child());
		}
	}

	/**
	 * Starts prepared processes.
	 */
	@FunctionalInterface
	public interface Starter {

		/**
		 * Starts a process.
		 * @param spawn the prepared process
		 * @throws IOException if it cannot be started
		 */
		void start(Spawn spawn) throws IOException;

	}

	/**
	 * Holder of the launcher. The launcher is looked for on first use.
	 */
	private static final class Found {

		private static final @Nullable String PROBLEM = problem();

		private static final @Nullable NativeLauncher LAUNCHER = (PROBLEM == null)
				? new NativeLauncher(NativeLinux.find(), Spawn::start) : null;

		private static @Nullable String problem() {
			try {
				return Spawn.problem(NativeLinux.find());
			}
			catch (NoClassDefFoundError ex) {
				return "kairo-linux-native is not on the class path: add it";
			}
		}

	}

}
