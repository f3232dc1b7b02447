package io.kairo.sandbox.landlock;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import io.kairo.host.TreeDeletion;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.process.NativeProcess;
import org.jspecify.annotations.Nullable;

/**
 * The self-test of a sandbox: a command that tries to escape, run with the rules of every
 * other command.
 *
 * @param settings the settings of the sandbox
 * @param directory contains the workspace of the command, and a file beside it
 * @param rules creates the rules of the command
 * @param domains starts the command
 */
record LandlockSelfTest(CommandSettings settings, PrivateDirectory directory, AccessRules rules, Domains domains) {

	private static final long TIMEOUT_SECONDS = 20;

	private static final int MAX_BYTES = 4096;

	/**
	 * The arguments are a file of the host outside of the workspace, the id of the JVM,
	 * and whether signals are confined. The workspace is the current directory.
	 */
	private static final String SCRIPT = """
			exec 2>&1
			(true < kept) || exit 31
			true > written || exit 32
			(true < "$1") && exit 33
			for directory in / /usr /etc /dev /run /tmp /var/tmp /dev/shm "${1%/*}"; do
				(true > "$directory/kairo-canary-$2") && exit 34
			done
			(true < /etc/shadow) && exit 35
			ls /proc && exit 36
			for process in 1 self "$2"; do
				(true < "/proc/$process/environ") && exit 37
			done
			[ "$3" = true ] && kill -0 "$2" && exit 38
			[ "$3" = true ] && kill -0 1 && exit 38
			[ "$(id -u)" = 0 ] && exit 39
			exit 0
			""";

	private static final Map<Integer, String> HOLES = Map.of(31, "the workspace cannot be read", 32,
			"the workspace cannot be written to", 33, "a file of the host can be read", 34,
			"the system can be written to", 35, "/etc/shadow can be read", 36, "/proc can be listed", 37,
			"the environment of a process can be read", 38, "the JVM can be signalled", 39, "the command is root");

	/**
	 * Runs the test.
	 * @return the problem that was found, or null if the sandbox holds
	 */
	@Nullable BackendProblem problem() {
		Path canary = null;
		try {
			canary = this.directory.newPath("canary");
			Files.createDirectory(canary, OwnerOnly.directory(canary));
			try (TemporaryFiles files = TemporaryFiles.create(this.directory, CacheUse.NONE)) {
				return run(canary, files);
			}
		}
		catch (IOException | RuntimeException ex) {
			return Reason.CANARY_FAILED.found("the self-test could not be run: " + ex.getMessage());
		}
		finally {
			delete(canary);
		}
	}

	private @Nullable BackendProblem run(Path canary, TemporaryFiles files) throws IOException {
		Path outside = Files.createFile(canary.resolve("outside"));
		Path workspace = Files.createDirectory(canary.resolve("workspace"));
		Files.createFile(workspace.resolve("kept"));
		Access access = this.rules.access(new SandboxRequest.Builder(SCRIPT, workspace).build());
		ProcessBuilder builder = new ProcessBuilder(List.of("/bin/sh", "-c", SCRIPT, "kairo",
				outside.toRealPath().toString(), Long.toString(ProcessHandle.current().pid()),
				Boolean.toString(this.domains.abi() >= LandlockRules.SCOPE_ABI)))
			.directory(workspace.toRealPath().toFile())
			.redirectInput(Redirect.from(new File("/dev/null")));
		builder.environment().clear();
		builder.environment().put("PATH", "/usr/bin:/bin");
		try (CommandDomain domain = this.domains.open(this.rules.of(access, files), this.rules.filter(access))) {
			return run(domain.launcher(false).launch(builder));
		}
	}

	private static @Nullable BackendProblem run(Process process) throws IOException {
		try (InputStream output = process.getInputStream(); InputStream failures = process.getErrorStream()) {
			if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
				throw new IOException("it did not end");
			}
			String text = new String(output.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
			String errors = new String(failures.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
			return explain(process.exitValue(), errors + text);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("it was interrupted", ex);
		}
		finally {
			process.destroyForcibly();
			if (process instanceof NativeProcess closed) {
				closed.close();
			}
		}
	}

	private static @Nullable BackendProblem explain(int exitCode, String output) {
		if (exitCode == 0) {
			return null;
		}
		String hole = HOLES.get(exitCode);
		return Reason.CANARY_FAILED.found(
				(hole != null) ? hole : output.lines().findFirst().orElse("it said nothing") + " (" + exitCode + ")");
	}

	private static void delete(@Nullable Path canary) {
		if (canary != null) {
			try {
				TreeDeletion.delete(canary);
			}
			catch (IOException ex) {
				System.getLogger(LandlockSelfTest.class.getName())
					.log(System.Logger.Level.DEBUG, "The files of a self-test could not be removed", ex);
			}
		}
	}

}
