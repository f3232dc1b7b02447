package io.kairo.sandbox.bubblewrap;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLauncher;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.ResourceLimits;
import org.jspecify.annotations.Nullable;

/**
 * Runs the command that tries out whether a sandbox holds, with the arguments that every
 * other command is run with.
 *
 * @param exchange for its files; its workspace is among them
 * @param launcher starts it
 * @param system what it sees of the system
 * @param bubblewrap what it runs in
 * @param options how commands are run
 * @param networks makes its network
 */
record CanaryRun(Exchange exchange, ProcessLauncher launcher, SystemMounts system, Bubblewrap bubblewrap,
		BubblewrapOptions options, Networks networks) {

	private static final long PATIENCE_SECONDS = 20;

	private static final int MOST_BYTES = 4096;

	/**
	 * Returns what does not hold, or null if all does.
	 * @throws IOException if it could not be run
	 */
	@Nullable BubblewrapProblem problem() throws IOException {
		// such a directory is one of the command's user
		try (CommandFiles workspace = this.exchange.newCommand();
				CommandFiles files = this.exchange.newCommand();
				CommandNetwork connected = this.networks.open(files, TenantContext.SINGLE)) {
			Path kept = Files.createFile(workspace.directory().resolve("kept"));
			Path written = workspace.directory().resolve("written");
			try {
				Path seen = Path.of("/canary");
				List<String> mounts = List.of("--bind", workspace.directory().toString(), seen.toString());
				files.writeArguments(Bubblewrap.arguments(this.options.network(),
						this.system.arguments(this.exchange, List.of(seen)), mounts,
						List.of("--clearenv", "--setenv", "PATH", "/usr/bin:/bin"), files, seen));
				return run(files, kept, connected);
			}
			finally {
				Files.deleteIfExists(written);
				Files.deleteIfExists(kept);
			}
		}
	}

	private @Nullable BubblewrapProblem run(CommandFiles files, Path kept, CommandNetwork connected)
			throws IOException {
		String network = this.options.network().name().toLowerCase(Locale.ROOT);
		List<String> command = List.of("/bin/sh", "-c", BubblewrapCanary.SCRIPT, "kairo", kept.toString(), network);
		ProcessSpec spec = this.bubblewrap.spec(files, this.exchange.filter(), command, false, Duration.ZERO,
				new ResourceLimits(CommandLimits.NONE).prepare(), connected);
		ProcessBuilder builder = new ProcessBuilder(spec.arguments()).redirectErrorStream(true)
			.redirectInput(Redirect.from(new File("/dev/null")));
		builder.environment().clear();
		builder.environment().putAll(spec.environment());
		Process process = this.launcher.launch(builder);
		try (InputStream output = process.getInputStream()) {
			if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
				return new BubblewrapProblem(BubblewrapProblem.Reason.CANARY_FAILED, "it did not end");
			}
			String text = new String(output.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
			return (process.exitValue() == 0) ? null : BubblewrapCanary.explain(process.exitValue(), text);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new BubblewrapProblem(BubblewrapProblem.Reason.CANARY_FAILED, "it was interrupted");
		}
		finally {
			process.destroyForcibly();
		}
	}

}
