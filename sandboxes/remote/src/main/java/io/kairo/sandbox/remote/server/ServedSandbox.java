package io.kairo.sandbox.remote.server;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.remote.protocol.CapabilitiesMessage;
import io.kairo.sandbox.remote.protocol.CopyMessage;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import io.kairo.sandbox.remote.protocol.LeaseMessage;
import io.kairo.sandbox.remote.protocol.StartMessage;
import org.jspecify.annotations.Nullable;

/**
 * The leases of a sandbox, and the requests that they allow. Safe for use by several
 * threads.
 */
final class ServedSandbox {

	private static final int ID_BYTES = 20;

	private static final int MAX_LEASES = 1000;

	private final ExecutionSandbox sandbox;

	private final SandboxServerOptions options;

	private final Map<String, Lease> leases = new ConcurrentHashMap<>();

	private final SecureRandom random = new SecureRandom();

	private final Semaphore free;

	private volatile boolean draining;

	private final @Nullable ServedCopies copies;

	/**
	 * Creates the value.
	 * @param copies the copies of directories, null if clients have to share them
	 */
	ServedSandbox(ExecutionSandbox sandbox, SandboxServerOptions options, @Nullable ServedCopies copies) {
		this.sandbox = sandbox;
		this.copies = copies;
		this.options = options;
		this.free = new Semaphore(options.maxCommands());
	}

	/**
	 * Returns the capabilities that the sandbox enforces.
	 * @param tenant the tenant; empty for the capabilities enforced for all tenants
	 */
	CapabilitiesMessage capabilities(RemoteClient client, String tenant) {
		SandboxCapabilities capabilities;
		List<String> shared = List.of();
		if (tenant.isEmpty()) {
			capabilities = this.sandbox.capabilities();
		}
		else {
			client.requireTenant(tenant);
			TenantContext owner = new TenantContext(tenant, "anonymous");
			capabilities = this.sandbox.capabilities(owner);
			shared = this.sandbox.sharedDirectories(owner);
		}
		return new CapabilitiesMessage(capabilities.backend(),
				capabilities.enforced().stream().map(SandboxCapability::name).toList(),
				List.of(SandboxCapability.values())
					.stream()
					.filter((capability) -> !capabilities.reason(capability).isEmpty())
					.collect(Collectors.toMap(SandboxCapability::name, capabilities::reason)),
				shared);
	}

	LeaseMessage newLease(RemoteClient client) {
		byte[] id = new byte[ID_BYTES];
		this.random.nextBytes(id);
		String name = HexFormat.of().formatHex(id);
		if (this.leases.values().stream().filter((each) -> each.isOf(client)).count() >= MAX_LEASES) {
			throw new RefusedRequestException(ErrorMessage.BUSY,
					"The client '" + client.name() + "' has " + MAX_LEASES + " leases, the maximum",
					"use one lease for many commands, and end it after the last one");
		}
		this.leases.put(name, new Lease(client));
		return message(name);
	}

	/**
	 * Renews a lease, as each request of it does.
	 * @return the lease, with the load of this worker
	 */
	LeaseMessage renew(RemoteClient client, String id) {
		lease(client, id);
		return message(id);
	}

	private LeaseMessage message(String id) {
		int commands = this.options.maxCommands() - this.free.availablePermits();
		return new LeaseMessage(id, (int) this.options.lease().toSeconds(), commands, this.options.maxCommands(),
				this.draining);
	}

	/**
	 * Returns a lease and renews it.
	 * @throws RefusedRequestException if the client has no such lease
	 */
	Lease lease(RemoteClient client, String id) {
		Lease lease = this.leases.get(id);
		if (lease == null) {
			throw Lease.noLease();
		}
		return lease.requireOf(client);
	}

	/**
	 * Ends a lease and its commands. Does nothing if that has happened.
	 */
	void endLease(RemoteClient client, String id) {
		Lease lease = this.leases.get(id);
		if (lease != null) {
			lease.requireOf(client);
			this.leases.remove(id);
			lease.end();
		}
	}

	/**
	 * Starts a command.
	 * @return whether this request started it, and not an earlier one
	 */
	boolean start(RemoteClient client, String lease, long number, StartMessage message) {
		client.requireTenant(message.tenant().id());
		Lease held = lease(client, lease);
		RequestedDirectories directories = RequestedDirectories.of(client, message, () -> held.copy(number),
				this.sandbox);
		SandboxRequest request = request(directories, message);
		return held.start(number, message, () -> start(request, message.requires(), directories));
	}

	/**
	 * Returns the copy of the directories of a command. Creates it if there is none.
	 * @throws RefusedRequestException if there are no copies, or the client may not act
	 * for the tenant
	 */
	ServedCopy copy(RemoteClient client, String lease, long number, CopyMessage message) {
		client.requireTenant(message.tenant());
		ServedCopies known = this.copies;
		if (known == null) {
			throw new RefusedRequestException(SandboxErrorCode.UNSUPPORTED_REQUEST.code(),
					"This worker takes no copies of directories",
					"share the directory with it, or allow copies on the worker");
		}
		return lease(client, lease).copy(number, message, () -> {
			requireNotDraining();
			return known.create(client, message);
		});
	}

	private ServedCommand start(SandboxRequest request, List<String> required, RequestedDirectories directories) {
		requireNotDraining();
		require(required, request.tenant());
		if (!this.free.tryAcquire()) {
			throw new RefusedRequestException(ErrorMessage.BUSY,
					"This worker has " + this.options.maxCommands() + " commands, its maximum",
					"wait until one is closed, or use another worker");
		}
		try {
			SandboxHandle handle = this.sandbox.start(request);
			if (directories.copy() != null) {
				directories.copy().started(handle.exit());
			}
			return new ServedCommand(handle, directories, this.free::release);
		}
		catch (RuntimeException | Error ex) {
			this.free.release();
			throw ex;
		}
	}

	private void requireNotDraining() {
		if (this.draining) {
			throw new RefusedRequestException(ErrorMessage.BUSY, "This worker is being shut down", "use another one");
		}
	}

	private void require(List<String> required, TenantContext tenant) {
		if (required.isEmpty()) {
			return;
		}
		SandboxCapabilities capabilities = this.sandbox.capabilities(tenant);
		List<String> enforced = capabilities.enforced().stream().map(SandboxCapability::name).toList();
		List<String> missing = required.stream().filter((each) -> !enforced.contains(each)).toList();
		if (!missing.isEmpty()) {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"The sandbox '" + capabilities.backend() + "' of this worker does not enforce " + missing
							+ ", which the client requires",
					"use a worker that does, or change what the client requires");
		}
	}

	private static SandboxRequest request(RequestedDirectories directories, StartMessage message) {
		try {
			StartMessage.TenantMessage tenant = message.tenant();
			SandboxAttributes attributes = SandboxAttributes.builder()
				.workingDirectory(
						(message.workingDirectory() != null) ? directories.directory(message.workingDirectory()) : null)
				.workspaceTarget(directories.workspaceTarget())
				.mounts(message.mounts().stream().map(directories::mount).toList())
				.protectedPaths(message.protectedPaths())
				.stdin(message.stdin())
				.redirectErrorStream(message.redirectErrorStream())
				.tailBytes(message.tailBytes())
				.sessionId(message.sessionId())
				.background(message.background())
				.withoutNetwork(message.withoutNetwork())
				.allowedRoots(directories.allowedRoots())
				.build();
			return new SandboxRequest.Builder(message.command(), directories.directory(message.workspace()))
				.env(message.env())
				.timeout(Duration.ofMillis(message.timeoutMillis()))
				.maxOutputBytes(message.maxOutputBytes())
				.tenant(new TenantContext(tenant.id(), tenant.principal(), tenant.attributes()))
				.readOnly(message.readOnly())
				.attributes(attributes)
				.build();
		}
		catch (IllegalArgumentException ex) {
			throw RefusedRequestException.invalid(ex);
		}
	}

	/**
	 * Ends the leases that were not renewed in time, and closes the commands that ended
	 * long ago.
	 */
	void sweep() {
		long lease = this.options.lease().toNanos();
		long ended = System.nanoTime() - this.options.retention().toNanos();
		this.leases.forEach((id, each) -> {
			if (each.isOver(lease)) {
				this.leases.remove(id);
				each.end();
			}
			else {
				each.closeEnded(ended);
			}
		});
	}

	/**
	 * Refuses new commands from now on.
	 */
	void drain() {
		this.draining = true;
	}

	/**
	 * Returns whether there is no command.
	 */
	boolean isIdle() {
		return this.free.availablePermits() == this.options.maxCommands();
	}

	void endAll() {
		drain();
		this.leases.values().forEach(Lease::end);
		this.leases.clear();
	}

}
