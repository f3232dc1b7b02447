package io.kairo.sandbox.remote;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.remote.protocol.CapabilitiesMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.Messages;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands on a worker, on which a
 * {@link io.kairo.sandbox.remote.server.SandboxServer} offers its own sandbox. Both
 * machines share the directories of the workspaces.
 * <p>
 * A broken connection loses and doubles neither a command nor a byte of output. If the
 * worker stays silent for the time of a lease, or is started again, its commands end as
 * {@link io.kairo.api.sandbox.SandboxExit#LOST} and are not run again. The worker ends
 * them when this JVM stays silent for that time. Safe for use by several threads. A new
 * sandbox holds no thread and no file.
 *
 * @since 0.1.0
 */
public final class RemoteSandbox implements ExecutionSandbox, AutoCloseable {

	private static final String NAME = "remote";

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	/** Health waits for it. */
	private static final Duration QUESTION = Duration.ofSeconds(2);

	/** The worker ends a command by itself if this JVM has not done so in time. */
	private static final Duration LATER = Duration.ofSeconds(10);

	private final RemoteSandboxOptions options;

	private final Worker worker;

	private final PrivateDirectory directory;

	private final CommandRunner runner;

	private @Nullable WorkerLease lease;

	private boolean closed;

	/**
	 * Creates a sandbox.
	 * @param options the options
	 */
	public RemoteSandbox(RemoteSandboxOptions options) {
		this.options = options;
		this.worker = new Worker(options);
		this.directory = new PrivateDirectory(options.directory());
		this.runner = new CommandRunner(this.directory);
	}

	/**
	 * {@inheritDoc}
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST},
	 * {@link SandboxErrorCode#INVALID_DIRECTORY},
	 * {@link SandboxErrorCode#BACKEND_UNAVAILABLE},
	 * {@link SandboxErrorCode#START_FAILED}, {@link SandboxErrorCode#CLOSED}, or the code
	 * of the worker
	 */
	@Override
	public SandboxHandle start(SandboxRequest request) {
		StartMessage message = message(request);
		return this.runner.run(request, (log) -> start(message, log));
	}

	private RunningCommand start(StartMessage message, OutputLog log) {
		byte[] body = Messages.write(message);
		while (true) {
			WorkerLease current = lease();
			long number = current.nextNumber();
			boolean[] sent = new boolean[1];
			try {
				Worker.repeat(this.options.patience(), () -> {
					try {
						return this.worker.call("PUT", current.path(number), body, TIMEOUT);
					}
					catch (IOException ex) {
						sent[0] |= !(ex instanceof ConnectException);
						throw ex;
					}
				});
				return new RemoteCommand(this.worker, current, number, message.stdin(), log, this::toLocal);
			}
			catch (RefusedException ex) {
				if (!ex.error().code().equals(ErrorMessage.LEASE_ENDED)) {
					throw exception(ex);
				}
				current.end();
				if (sent[0]) {
					throw new SandboxException(SandboxErrorCode.START_FAILED,
							"The worker was started again, or lost sight of this machine, while it was asked to start a command",
							"the command may have run in part: find out before it is started again", ex);
				}
			}
			catch (IOException ex) {
				current.close(number);
				throw unavailable(ex);
			}
		}
	}

	@Override
	public SandboxCapabilities capabilities() {
		return capabilities(TenantContext.SINGLE);
	}

	/**
	 * {@inheritDoc} Asks the worker; if it does not answer within some seconds, there are
	 * none.
	 */
	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		try {
			String path = "v1/capabilities?tenant=" + URLEncoder.encode(tenant.tenantId(), StandardCharsets.UTF_8);
			byte[] answer = Worker.repeat(QUESTION, () -> this.worker.call("GET", path, new byte[0], QUESTION));
			CapabilitiesMessage message = Messages.read(answer, CapabilitiesMessage.class);
			Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
			message.reasons().forEach((name, reason) -> known(name).forEach((each) -> reasons.put(each, reason)));
			Set<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);
			message.enforced().forEach((name) -> enforced.addAll(known(name)));
			return SandboxCapabilities.of(NAME + ":" + message.backend(), enforced, reasons);
		}
		catch (IOException | RefusedException | IllegalArgumentException ex) {
			String reason = "the worker " + this.options.worker() + " does not tell: " + ex.getMessage();
			return SandboxCapabilities.of(NAME, Set.of(), Arrays.stream(SandboxCapability.values())
				.collect(Collectors.toMap((each) -> each, (each) -> reason)));
		}
	}

	/**
	 * Returns the capability with a name; none if a newer worker has others.
	 */
	private static List<SandboxCapability> known(String name) {
		return Arrays.stream(SandboxCapability.values()).filter((each) -> each.name().equals(name)).toList();
	}

	/**
	 * Ends all commands and waits up to three seconds for them.
	 */
	@Override
	public void close() {
		this.runner.close();
		WorkerLease last;
		synchronized (this) {
			this.closed = true;
			last = this.lease;
		}
		if (last != null) {
			last.close();
		}
	}

	private synchronized WorkerLease lease() {
		if (this.closed) {
			throw new SandboxException(SandboxErrorCode.CLOSED, "The sandbox is closed",
					"start commands before closing it");
		}
		WorkerLease current = this.lease;
		if (current == null || current.isEnded()) {
			try {
				current = Worker.repeat(this.options.patience(), () -> WorkerLease.request(this.worker));
			}
			catch (RefusedException ex) {
				throw exception(ex);
			}
			catch (IOException ex) {
				throw unavailable(ex);
			}
			this.lease = current;
		}
		return current;
	}

	private SandboxException unavailable(IOException cause) {
		return new SandboxException(SandboxErrorCode.BACKEND_UNAVAILABLE,
				"The worker " + this.options.worker() + " does not answer", "check that it runs and can be reached",
				cause);
	}

	private SandboxException exception(RefusedException refused) {
		ErrorMessage error = refused.error();
		return new SandboxException(code(error.code()), error.problem(), error.remedy(), refused);
	}

	/**
	 * Returns the code of a refusal. One that is not of a sandbox concerns this client.
	 */
	private static SandboxErrorCode code(String code) {
		return switch (code) {
			case ErrorMessage.UNAUTHORIZED -> SandboxErrorCode.BACKEND_UNAVAILABLE;
			case ErrorMessage.FORBIDDEN -> SandboxErrorCode.UNSUPPORTED_REQUEST;
			case ErrorMessage.BUSY -> SandboxErrorCode.TOO_MANY_EXECUTIONS;
			default -> Arrays.stream(SandboxErrorCode.values())
				.filter((each) -> each.name().toLowerCase(Locale.ROOT).equals(code))
				.findFirst()
				.orElse(SandboxErrorCode.START_FAILED);
		};
	}

	private StartMessage message(SandboxRequest request) {
		SandboxAttributes attributes = request.attributes();
		String workspace = toRemote(request.workspaceRoot());
		String seen = request.workspaceRoot().toAbsolutePath().normalize().toString();
		String target = attributes.workspaceTarget();
		if (target == null && !seen.equals(workspace)) {
			target = seen;
		}
		Path start = attributes.workingDirectory();
		TenantContext tenant = request.tenant();
		return new StartMessage(request.command(), workspace, (start != null) ? toRemote(start) : null, target,
				request.env(), timeoutMillis(request.timeout()), request.maxOutputBytes(), attributes.tailBytes(),
				new StartMessage.TenantMessage(tenant.tenantId(), tenant.principalId(), tenant.attributes()),
				request.readOnly(),
				attributes.mounts()
					.stream()
					.map((mount) -> new StartMessage.MountMessage(toRemote(mount.source()), mount.target(),
							mount.writable()))
					.toList(),
				attributes.protectedPaths(), attributes.stdin(), attributes.redirectErrorStream(),
				attributes.sessionId(), attributes.background());
	}

	private static long timeoutMillis(Duration timeout) {
		return TimeUnit.NANOSECONDS.toMillis(Deadlines.nanos(timeout)) + LATER.toMillis();
	}

	private String toRemote(Path path) {
		return this.options.mappings()
			.stream()
			.map((mapping) -> mapping.toRemote(path))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"The directory " + path + " is in none that this machine shares with the worker",
					"share it and add it to the mappings"));
	}

	private @Nullable Path toLocal(String path) {
		return this.options.mappings()
			.stream()
			.map((mapping) -> mapping.toLocal(path))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
