package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.backend.BackendSandbox;
import io.kairo.sandbox.remote.protocol.CapabilitiesMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import io.kairo.sandbox.support.CommandRunner;
import io.kairo.sandbox.support.RunningCommand;
import io.kairo.sandbox.support.WatchedCommand;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.thread.Deadlines;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that runs commands on workers. On each of them a
 * {@link io.kairo.sandbox.remote.server.SandboxServer} offers its own sandbox. All
 * machines share the directories of the workspaces, or they are copied for each command,
 * and what it changed is copied back. A {@link WorkerSelector} selects the worker of a
 * command. A start can also fail with the error code of the worker.
 * <p>
 * A broken connection loses and doubles neither a command nor a byte of output. If a
 * worker stays silent for the time of a lease, or is started again, its commands end as
 * {@link io.kairo.api.sandbox.SandboxExit#LOST} and are not run again. The worker ends
 * them when this JVM stays silent for that time. Safe for use by several threads. A new
 * sandbox holds no thread and no file.
 */
public final class RemoteSandbox extends BackendSandbox {

	private static final String NAME = "remote";

	/** The worker ends a command by itself if this JVM has not done so in time. */
	private static final Duration LATER = Duration.ofSeconds(10);

	private final RemoteSandboxOptions options;

	private final Workers workers;

	private final PrivateDirectory directory;

	private final RemoteCopies copies;

	private final CommandRunner runner;

	/** The capabilities that are required of every worker. */
	private final Set<SandboxCapability> required = new CopyOnWriteArraySet<>();

	/**
	 * Creates a sandbox.
	 * @param options the options
	 */
	public RemoteSandbox(RemoteSandboxOptions options) {
		this.options = options;
		this.required.addAll(options.required());
		this.workers = new Workers(options);
		this.directory = new PrivateDirectory(options.directory());
		this.copies = new RemoteCopies(options, this.directory);
		this.runner = new CommandRunner(this.directory, null, options.shutdownGrace());
	}

	@Override
	protected SandboxHandle run(SandboxRequest request) {
		if (this.copies.isNeeded(request)) {
			return this.runner.run(request, (log) -> startCopied(request, log));
		}
		StartMessage message = message(request, null);
		return this.runner.run(request,
				(log) -> this.workers.start(request, message, null, log, (path) -> toLocal(path, null)));
	}

	private RunningCommand startCopied(SandboxRequest request, OutputLog log) {
		RemoteCopy copy = this.copies.prepare(request);
		boolean started = false;
		try {
			RunningCommand command = new CopiedCommand(
					this.workers.start(request, message(request, copy), copy, log, (path) -> toLocal(path, copy)),
					copy);
			started = true;
			return new WatchedCommand(command, log, copy::apply, copy::close);
		}
		finally {
			if (!started) {
				copy.close();
			}
		}
	}

	/**
	 * Returns the problem that no worker can be used. The leases are requested as by
	 * {@link #connect()}.
	 * @return the problem, temporary unless all workers refuse this client; null if there
	 * is a worker
	 */
	@Override
	public @Nullable BackendProblem problem() {
		List<WorkerState> states = connect();
		if (states.stream().anyMatch((state) -> state.status() != WorkerState.Status.DOWN)) {
			return null;
		}
		return new BackendProblem("The remote sandbox", "no_worker",
				states.stream()
					.map((state) -> state.address() + ": " + state.problem())
					.collect(Collectors.joining("; ", "no worker can be used: ", "")),
				"correct that, or the addresses, the token or the certificates of this client, or use another sandbox",
				!isRefused());
	}

	/**
	 * Requests a lease of each worker, if there is none. From then on, {@link #workers()}
	 * tells what the renewals of the leases have found. Waits up to eleven seconds for a
	 * worker that does not answer.
	 * @return what is known of the workers, in the order of the options
	 */
	public List<WorkerState> connect() {
		this.workers.all().parallelStream().forEach(LeasedWorker::connect);
		return workers();
	}

	/**
	 * Returns what is known of the workers. Asks none of them.
	 * @return the workers in the order of the options; none of a closed sandbox
	 */
	public List<WorkerState> workers() {
		return this.workers.isClosed() ? List.of() : this.workers.all().stream().map(LeasedWorker::state).toList();
	}

	/**
	 * Returns whether all workers refuse this client, as with a token that they do not
	 * know, so that it does not help to wait for them. Asks none of them.
	 * @return false if one of them accepts it, does not answer, or was not asked
	 */
	public boolean isRefused() {
		return this.workers.all().stream().allMatch(LeasedWorker::isRefused);
	}

	/**
	 * Requires a capability for all commands from now on, unless a worker that answers
	 * lacks it. A worker without it that appears later refuses the commands.
	 * @param capability the capability
	 */
	public void requireOfUnknown(SandboxCapability capability) {
		SandboxCapabilities known = capabilities();
		if (known.has(capability) || known.backend().equals(NAME)) {
			this.required.add(capability);
		}
	}

	@Override
	public SandboxCapabilities capabilities() {
		return common(null);
	}

	/**
	 * {@inheritDoc} They are enforced by all workers that can be reached. Each worker is
	 * asked at most once a minute. If none answers within some seconds, they are what the
	 * options require, since a worker without that runs no command. A worker that this
	 * client may not use for the tenant, and that refuses its commands, tells what it
	 * enforces for all tenants.
	 */
	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		return common(tenant.tenantId());
	}

	/**
	 * {@inheritDoc} None, unless the commands of a session go to one worker.
	 */
	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		List<LeasedWorker> all = this.workers.all();
		if (all.size() > 1 && !this.options.selector().keepsSessions()) {
			return List.of();
		}
		List<List<String>> answers = all.stream()
			.map((worker) -> ask(worker, tenant.tenantId()))
			.filter(WorkerCapabilities::known)
			.map(WorkerCapabilities::shared)
			.toList();
		return answers.isEmpty() ? List.of()
				: answers.get(0)
					.stream()
					.filter((each) -> answers.stream().allMatch((answer) -> answer.contains(each)))
					.toList();
	}

	/**
	 * Returns what all workers enforce.
	 * @param tenant the tenant, or null for all of them
	 */
	private SandboxCapabilities common(@Nullable String tenant) {
		List<WorkerCapabilities> answers = this.workers.all().stream().map((worker) -> ask(worker, tenant)).toList();
		List<WorkerCapabilities> known = answers.stream().filter(WorkerCapabilities::known).toList();
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		Set<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);
		for (SandboxCapability each : SandboxCapability.values()) {
			if (known.isEmpty() && this.required.contains(each)) {
				enforced.add(each);
				continue;
			}
			List<WorkerCapabilities> asked = known.isEmpty() ? answers : known;
			if (asked.stream().allMatch((worker) -> worker.capabilities().has(each))) {
				enforced.add(each);
			}
			asked.stream()
				.sorted(Comparator.comparing((worker) -> worker.capabilities().has(each)))
				.map((worker) -> worker.capabilities().reason(each))
				.filter((reason) -> !reason.isEmpty())
				.findFirst()
				.ifPresent((reason) -> reasons.put(each, reason));
		}
		String backends = known.stream()
			.map((worker) -> ":" + worker.capabilities().backend())
			.distinct()
			.collect(Collectors.joining());
		return SandboxCapabilities.of(NAME + backends, enforced, reasons);
	}

	private static WorkerCapabilities ask(LeasedWorker worker, @Nullable String tenant) {
		try {
			CapabilitiesMessage message = worker.capabilities(tenant);
			Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
			message.reasons().forEach((name, reason) -> known(name).forEach((each) -> reasons.put(each, reason)));
			Set<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);
			message.enforced().forEach((name) -> enforced.addAll(known(name)));
			return new WorkerCapabilities(true, SandboxCapabilities.of(message.backend(), enforced, reasons),
					message.sharedDirectories());
		}
		catch (IOException | WorkerRefusedException | IllegalArgumentException ex) {
			boolean forbidden = ex instanceof WorkerRefusedException refused
					&& refused.error().code().equals(ErrorMessage.FORBIDDEN);
			if (forbidden && tenant != null) {
				return ask(worker, null);
			}
			String reason = "the worker " + worker.worker().address() + " does not tell: " + ex.getMessage();
			return new WorkerCapabilities(false,
					SandboxCapabilities.of(NAME, Set.of(), Arrays.stream(SandboxCapability.values())
						.collect(Collectors.toMap((each) -> each, (each) -> reason))),
					List.of());
		}
	}

	/**
	 * Returns the capability with a name; none if a newer worker has others.
	 */
	private static List<SandboxCapability> known(String name) {
		return Arrays.stream(SandboxCapability.values()).filter((each) -> each.name().equals(name)).toList();
	}

	@Override
	public void close() {
		this.runner.close();
		this.workers.close();
	}

	private StartMessage message(SandboxRequest request, @Nullable RemoteCopy copy) {
		SandboxAttributes attributes = request.attributes();
		String workspace = toRemote(request.workspaceRoot(), copy);
		String seen = request.workspaceRoot().toAbsolutePath().normalize().toString();
		String target = attributes.workspaceTarget();
		if (target == null && !seen.equals(workspace) && !workspace.startsWith(StartMessage.COPY)) {
			target = seen;
		}
		Path start = attributes.workingDirectory();
		TenantContext tenant = request.tenant();
		return new StartMessage(request.command(), workspace, (start != null) ? toRemote(start, copy) : null, target,
				request.env(), timeoutMillis(request.timeout()), request.maxOutputBytes(), attributes.tailBytes(),
				new StartMessage.TenantMessage(tenant.tenantId(), tenant.principalId(), tenant.attributes()),
				request.readOnly(),
				attributes.mounts()
					.stream()
					.map((mount) -> new StartMessage.MountMessage(toRemote(mount.source(), copy), mount.target(),
							mount.writable()))
					.toList(),
				attributes.protectedPaths(), attributes.stdin(), attributes.redirectErrorStream(),
				attributes.sessionId(), attributes.background(), attributes.withoutNetwork(),
				required(attributes).stream().map(SandboxCapability::name).sorted().toList());
	}

	/**
	 * Returns the capabilities that the worker must have for a request. A worker with a
	 * copy does not see whether a mount is at its own path here.
	 */
	private Set<SandboxCapability> required(SandboxAttributes attributes) {
		Set<SandboxCapability> capabilities = EnumSet.noneOf(SandboxCapability.class);
		capabilities.addAll(this.required);
		if (attributes.mounts()
			.stream()
			.anyMatch((mount) -> !mount.target().equals(mount.source().toAbsolutePath().toString()))) {
			capabilities.add(SandboxCapability.MOUNTS);
		}
		if (attributes.withoutNetwork()) {
			// a worker of an older version ignores it
			capabilities.add(SandboxCapability.NETWORK_OFF_ON_REQUEST);
		}
		return capabilities;
	}

	private static long timeoutMillis(Duration timeout) {
		return TimeUnit.NANOSECONDS.toMillis(Deadlines.nanos(timeout)) + LATER.toMillis();
	}

	private String toRemote(Path path, @Nullable RemoteCopy copy) {
		String shared = this.options.mappings()
			.stream()
			.map((mapping) -> mapping.toRemote(path))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
		if (shared != null) {
			return shared;
		}
		if (copy != null) {
			return copy.toRemote(path);
		}
		throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"The directory " + path + " is in none that this machine shares with the workers",
				"share it and add it to the mappings, or let directories be copied");
	}

	private @Nullable Path toLocal(String path, @Nullable RemoteCopy copy) {
		if (copy != null && path.startsWith(StartMessage.COPY)) {
			return copy.toLocal(path);
		}
		return this.options.mappings()
			.stream()
			.map((mapping) -> mapping.toLocal(path))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/**
	 * What a worker enforces.
	 *
	 * @param known whether it has told
	 * @param capabilities the capabilities
	 * @param shared the directories that the commands of a session share
	 */
	private record WorkerCapabilities(boolean known, SandboxCapabilities capabilities, List<String> shared) {

	}

}
