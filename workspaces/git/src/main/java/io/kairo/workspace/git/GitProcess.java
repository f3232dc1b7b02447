package io.kairo.workspace.git;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A run of {@code git} with an isolated environment and configuration. No configuration
 * or environment of the user or the machine applies, and no hook of a repository.
 */
final class GitProcess {

	private static final int MAX_OUTPUT = 1 << 16;

	private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/** Environment variables of this process that git inherits. */
	private static final List<String> INHERITED = List.of("PATH", "SystemRoot", "TMPDIR", "TEMP", "TMP", "http_proxy",
			"https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "SSL_CERT_FILE",
			"SSL_CERT_DIR", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK");

	private static final List<String> CONFIGURATION = List.of("core.hooksPath=/dev/null", "core.fsmonitor=false",
			"core.attributesFile=/dev/null", "core.excludesFile=/dev/null", "core.pager=cat", "credential.helper=",
			"gc.auto=0", "maintenance.auto=false", "fetch.unpackLimit=1", "transfer.unpackLimit=1",
			"fetch.recurseSubmodules=false", "push.recurseSubmodules=no", "push.gpgSign=false",
			"submodule.recurse=false", "http.followRedirects=false", "protocol.version=2", "checkout.workers=4",
			"transfer.credentialsInUrl=die", "advice.detachedHead=false");

	private final List<String> command = new ArrayList<>(List.of("git"));

	private final ProcessBuilder builder;

	GitProcess(Path home, String... arguments) {
		CONFIGURATION.forEach((setting) -> this.command.addAll(List.of("-c", setting)));
		this.command.addAll(List.of(arguments));
		this.builder = new ProcessBuilder(this.command).directory(home.toFile());
		Map<String, String> environment = this.builder.environment();
		environment.keySet().retainAll(INHERITED);
		environment.putAll(Map.of("HOME", home.toString(), "LC_ALL", "C", "GIT_CONFIG_NOSYSTEM", "1",
				"GIT_CONFIG_GLOBAL", "/dev/null", "GIT_ATTR_NOSYSTEM", "1", "GIT_TERMINAL_PROMPT", "0",
				"GIT_NO_REPLACE_OBJECTS", "1", "GIT_LFS_SKIP_SMUDGE", "1", "GIT_ALLOW_PROTOCOL", "none"));
		environment.putAll(Map.of("GIT_SSH_COMMAND", "ssh -oBatchMode=yes", "GIT_PROTOCOL_FROM_USER", "0"));
	}

	/**
	 * Allows access to a remote. The credential applies to that remote only and is passed
	 * in the environment, since other users of the machine cannot read it.
	 */
	GitProcess talkingTo(GitRemote remote) {
		Map<String, String> environment = this.builder.environment();
		environment.put("GIT_ALLOW_PROTOCOL", remote.url().scheme());
		String header = remote.authorization();
		if (header != null) {
			environment.putAll(Map.of("GIT_CONFIG_COUNT", "1", "GIT_CONFIG_KEY_0",
					"http." + remote.url() + ".extraHeader", "GIT_CONFIG_VALUE_0", header));
		}
		return this;
	}

	/**
	 * Runs the process until it exits, or ends it with its descendants.
	 * @param guard checked periodically while the process runs
	 */
	Outcome run(Deadline deadline, Guard guard) throws IOException {
		Process process = this.builder.redirectErrorStream(true).start();
		process.getOutputStream().close();
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		Thread reader = new Thread(() -> drain(process.getInputStream(), output), "kairo-git-output");
		reader.setDaemon(true);
		reader.start();
		try {
			while (!process.waitFor(Math.min(LOOK_NANOS, Math.max(1, deadline.nanosLeft())), TimeUnit.NANOSECONDS)) {
				if (deadline.isOver()) {
					return new Outcome(Outcome.TIMED_OUT, "");
				}
				if (!guard.mayGoOn()) {
					return new Outcome(Outcome.STOPPED, "");
				}
			}
			reader.join(TimeUnit.SECONDS.toMillis(1));
			synchronized (output) {
				return new Outcome(process.exitValue(), output.toString(StandardCharsets.UTF_8));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IOException("interrupted", ex);
		}
		finally {
			end(process);
		}
	}

	private static void end(Process process) {
		if (!process.isAlive()) {
			return; // its descendants, if any, have another parent now
		}
		process.descendants().forEach(ProcessHandle::destroyForcibly);
		process.destroyForcibly();
		boolean interrupted = Thread.interrupted();
		try {
			process.waitFor(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private static void drain(InputStream input, ByteArrayOutputStream output) {
		byte[] buffer = new byte[8192];
		try (input) {
			for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
				synchronized (output) {
					output.write(buffer, 0, Math.min(count, MAX_OUTPUT - output.size()));
				}
			}
		}
		catch (IOException ex) {
			// The process was ended; its output so far is enough.
		}
	}

	/**
	 * The result of a process.
	 *
	 * @param code its exit code, {@link #TIMED_OUT} or {@link #STOPPED}
	 * @param output the beginning of its output
	 */
	record Outcome(int code, String output) {

		/** The process was ended at its deadline. */
		static final int TIMED_OUT = -1;

		/** The process was ended by its guard. */
		static final int STOPPED = -2;

		boolean isOk() {
			return this.code == 0;
		}

	}

	/**
	 * Decides whether a process may continue.
	 */
	@FunctionalInterface
	interface Guard {

		/** Lets every process continue. */
		Guard NONE = () -> true;

		boolean mayGoOn() throws IOException;

	}

}
