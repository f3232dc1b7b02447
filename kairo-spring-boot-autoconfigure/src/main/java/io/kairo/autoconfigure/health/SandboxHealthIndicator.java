package io.kairo.autoconfigure.health;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.autoconfigure.sandbox.SandboxChoice;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.support.process.NativeLauncher;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Health indicator that runs a command without effect, at most once in {@link #FRESH}.
 */
final class SandboxHealthIndicator extends AbstractHealthIndicator {

	private static final Duration FRESH = Duration.ofSeconds(30);

	private static final String PROBLEM = "problem";

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private static final Set<String> LOCAL_PROCESSES = Set.of("bubblewrap", "landlock", "process");

	private final ExecutionSandbox sandbox;

	private final @Nullable SandboxChoice choice;

	private final boolean nativeCalls;

	private final Function<SandboxCapabilities, List<String>> fileToolsAlone;

	private final Supplier<@Nullable String> setupFailure;

	private final Supplier<Map<String, String>> workers;

	private final Supplier<Path> directory;

	private final LongSupplier nanoTime;

	private final Object lock = new Object();

	private @Nullable Canary canary;

	/** Answers before the indicator has to, so that the details are shown in any case. */
	private final HealthIndicator command = new BoundedHealthIndicator("kairoSandboxCommand", this::commandHealth,
			BoundedHealthIndicator.BOUND.multipliedBy(3).dividedBy(4));

	/**
	 * Creates the indicator.
	 * @param choice the choice of the sandbox, null if the application provides it
	 * @param nativeCalls whether commands may be started by direct system calls
	 * @param fileToolsAlone the settings that a sandbox does not enforce on commands
	 * @param setupFailure the reason why the sandbox of the last command could not be set
	 * up, null if it could
	 * @param workers the workers of a remote sandbox and their status, by address
	 * @param directory the directory to run the command in
	 */
	SandboxHealthIndicator(ExecutionSandbox sandbox, @Nullable SandboxChoice choice, boolean nativeCalls,
			Function<SandboxCapabilities, List<String>> fileToolsAlone, Supplier<@Nullable String> setupFailure,
			Supplier<Map<String, String>> workers, Supplier<Path> directory, LongSupplier nanoTime) {
		super("The sandbox cannot be asked");
		this.sandbox = unwatched(sandbox);
		this.choice = choice;
		this.nativeCalls = nativeCalls;
		this.fileToolsAlone = fileToolsAlone;
		this.setupFailure = setupFailure;
		this.workers = workers;
		this.directory = directory;
		this.nanoTime = nanoTime;
	}

	/**
	 * Returns the sandbox without its observation, since this command belongs to no
	 * tenant.
	 */
	private static ExecutionSandbox unwatched(ExecutionSandbox sandbox) {
		if (sandbox instanceof BackendSandbox backend) {
			return backend.withoutInterceptors();
		}
		return (AopProxyUtils.getSingletonTarget(sandbox) instanceof ExecutionSandbox target) ? target : sandbox;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		SandboxCapabilities capabilities = this.sandbox.capabilities();
		String problem = problem();
		builder.status((problem == null) ? "UP" : "DOWN")
			.withDetail("backend", capabilities.backend())
			.withDetail("isolation",
					capabilities.has(SandboxCapability.FILE_CONFINEMENT) ? capabilities.backend() : "none")
			.withDetail("capabilities", capabilities.enforced());
		String reason = capabilities.reason(SandboxCapability.FILE_CONFINEMENT);
		if (!reason.isEmpty()) {
			builder.withDetail("reason", reason);
		}
		Map<String, String> notLimited = notLimited(capabilities);
		if (!notLimited.isEmpty()) {
			builder.withDetail("notLimited", notLimited);
		}
		List<String> unheld = this.fileToolsAlone.apply(capabilities);
		if (!unheld.isEmpty()) {
			builder.withDetail("fileToolsAlone", unheld);
		}
		if (this.choice != null) {
			builder.withDetail("choice", this.choice.reason());
			if (LOCAL_PROCESSES.contains(this.choice.type())) {
				builder.withDetail("directStarts",
						WorkspaceHealthIndicator.directUse(this.nativeCalls, NativeLauncher::problem));
			}
			String notReaped = notReaped(this.choice.type(), ProcessHandle.current().pid());
			if (notReaped != null) {
				builder.withDetail("notReaped", notReaped);
			}
			if (!this.choice.tenants().isEmpty()) {
				builder.withDetail("tenants", this.choice.describeTenants());
			}
		}
		Map<String, String> known = this.workers.get();
		if (!known.isEmpty()) {
			builder.withDetail("workers", known);
		}
		if (problem != null) {
			builder.withDetail(PROBLEM, problem);
		}
	}

	/**
	 * Returns the reason why ended processes of commands remain as zombies. Bubblewrap
	 * waits for those of its commands.
	 * @param pid the process id of this JVM
	 * @return the reason, null if they do not
	 */
	static @Nullable String notReaped(String type, long pid) {
		return (pid == 1 && LOCAL_PROCESSES.contains(type) && !type.equals("bubblewrap"))
				? "the application is process 1, and a JVM does not wait for processes that commands leave behind: "
						+ "give the container an init process, as docker run --init does"
				: null;
	}

	/**
	 * Returns the properties of the limits that a command does not have, with the
	 * reasons.
	 */
	private static Map<String, String> notLimited(SandboxCapabilities capabilities) {
		Map<String, SandboxCapability> limits = Map.of("memory", SandboxCapability.MEMORY_LIMIT, "cpus",
				SandboxCapability.CPU_LIMIT, "pids", SandboxCapability.PIDS_LIMIT, "file-size",
				SandboxCapability.FILE_SIZE_LIMIT);
		Map<String, String> notLimited = new TreeMap<>();
		limits.forEach((name, capability) -> {
			if (!capabilities.has(capability)) {
				notLimited.put(name, capabilities.reason(capability));
			}
		});
		return notLimited;
	}

	private @Nullable String problem() {
		if (this.choice != null && this.choice.type().equals("remote")) {
			// a command would need a directory that the workers share
			Map<String, String> known = this.workers.get();
			return known.values().stream().anyMatch((status) -> status.startsWith("up")) ? this.setupFailure.get()
					: "no worker accepts commands: " + known;
		}
		Health health = Objects.requireNonNull(this.command.health());
		return health.getStatus().equals(Status.UP) ? this.setupFailure.get()
				: String.valueOf(health.getDetails().get(PROBLEM));
	}

	private Health commandHealth() {
		String problem = canary().problem();
		return (problem != null) ? Health.down().withDetail(PROBLEM, problem).build() : Health.up().build();
	}

	private Canary canary() {
		synchronized (this.lock) {
			Canary known = this.canary;
			if (known != null && this.nanoTime.getAsLong() - known.time() < FRESH.toNanos()) {
				return known;
			}
			Canary fresh = new Canary(this.nanoTime.getAsLong(), runCommand());
			this.canary = fresh;
			return fresh;
		}
	}

	private @Nullable String runCommand() {
		try {
			SandboxRequest request = new SandboxRequest.Builder("exit 0", this.directory.get()).timeout(TIMEOUT)
				.build();
			try (SandboxHandle handle = this.sandbox.start(request)) {
				SandboxExit exit = handle.exit().block(TIMEOUT.plusSeconds(5));
				return (exit != null && exit.exitCode() == 0) ? null : "a command that does nothing ended with " + exit;
			}
		}
		catch (SandboxException ex) {
			return ex.getMessage();
		}
		catch (RuntimeException ex) {
			return "a command that does nothing failed: " + ex.getMessage();
		}
	}

	/**
	 * The result of the last command.
	 *
	 * @param time the time it ran
	 * @param problem the reason it could not run, null if it could
	 */
	private record Canary(long time, @Nullable String problem) {

	}

}
