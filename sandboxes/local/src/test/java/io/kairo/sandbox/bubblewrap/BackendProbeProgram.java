package io.kairo.sandbox.bubblewrap;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.ProcStat;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.process.LocalProcessSandbox;

/**
 * A program that prints whether bubblewrap can be used, runs commands with a backend and
 * prints a line for each, and one for the zombies that remain. Tests start it in
 * different environments.
 */
final class BackendProbeProgram {

	private BackendProbeProgram() {
	}

	/**
	 * Runs commands.
	 * @param args the name of the backend, {@code session} for commands of a session in
	 * bubblewrap, a directory for its files, a workspace, and commands
	 */
	public static void main(String[] args) throws Exception {
		Path directory = Files.createDirectories(Path.of(args[1]));
		Path workspace = Path.of(args[2]);
		try (BubblewrapSandbox bubblewrap = new BubblewrapSandbox(JvmUser.bubblewrapOptions()
			.with((changes) -> changes.commands((commands) -> commands.directory(directory))));
				LocalProcessSandbox process = new LocalProcessSandbox(
						CommandSettings.DEFAULTS.with((commands) -> commands.directory(directory)))) {
			BackendProblem problem = bubblewrap.problem();
			System.out.println((problem != null) ? problem.code() : "works");
			ExecutionSandbox sandbox = args[0].equals("process") ? process : bubblewrap;
			SandboxAttributes attributes = SandboxAttributes.builder()
				.sessionId(args[0].equals("session") ? "one" : null)
				.build();
			for (int i = 3; i < args.length; i++) {
				Duration timeout = Duration.ofMillis(args[i].startsWith("sleep") ? 300 : 60_000);
				System.out.println(run(sandbox,
						JvmUser.grantAccess(new SandboxRequest.Builder(args[i], workspace).timeout(timeout)
							.attributes(attributes)
							.build())));
			}
		}
		// the platform may not have waited yet for processes that it has started
		long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
		while (zombies() > 0 && System.nanoTime() < deadline) {
			LockSupport.parkNanos(1_000_000);
		}
		if (zombies() > 0) {
			System.out.println("zombies: " + zombies());
		}
	}

	private static long zombies() {
		return ProcessHandle.current().children().filter((child) -> {
			ProcStat stat = ProcStat.read(child.pid());
			return stat != null && !stat.alive();
		}).count();
	}

	private static String run(ExecutionSandbox sandbox, SandboxRequest request) {
		try (SandboxHandle handle = sandbox.start(request)) {
			SandboxExit exit = handle.exit().block();
			long bytes = handle.output().map((chunk) -> (long) chunk.data().length).reduce(0L, Long::sum).block();
			return exit.exitCode() + " " + (bytes + handle.discardedBytes());
		}
		catch (SandboxException ex) {
			return ex.code() + " " + ex.getMessage();
		}
	}

}
