package io.kairo.tools.output;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A store of command outputs in files of a {@link PrivateDirectory}. The directory is
 * created on first use and removed when the store is closed. The directory of a JVM that
 * was killed is removed by the next JVM with the same parent directory. Safe for use by
 * several threads.
 */
public final class OutputStore implements AutoCloseable {

	private static final Logger logger = System.getLogger(OutputStore.class.getName());

	private final PrivateDirectory directory;

	private final OutputOptions options;

	private final Clock clock;

	/** Null if the outputs of calls without a session end with the call. */
	private final @Nullable LastingOutputs lasting;

	private final Map<String, Long> bytesByTenant = new HashMap<>();

	private final Set<SessionOutputs> sessions = new LinkedHashSet<>();

	private boolean closed;

	/**
	 * Creates a store in the temporary directory of the JVM.
	 * @param options the limits of the store
	 */
	public OutputStore(OutputOptions options) {
		this(Path.of(System.getProperty("java.io.tmpdir")), options, Clock.systemUTC());
	}

	/**
	 * Creates a store.
	 * @param parent the parent of the private directory
	 * @param options the limits of the store
	 * @param clock the clock for the age of outputs
	 */
	public OutputStore(Path parent, OutputOptions options, Clock clock) {
		this(parent, options, clock, null);
	}

	private OutputStore(Path parent, OutputOptions options, Clock clock, @Nullable LastingOutputs lasting) {
		this.lasting = lasting;
		this.directory = new PrivateDirectory(parent, "kairo-output-");
		this.options = options;
		this.clock = clock;
	}

	/**
	 * Creates a store that keeps the outputs of calls without a session for later calls
	 * of the same tenant and principal, also after it is closed. Stores of several JVMs
	 * with the same parent share them.
	 * @param parent the parent of the private directory. No other user can change it
	 * @param options the limits of the store
	 * @param clock the clock for the age of outputs
	 * @return the store
	 */
	public static OutputStore lasting(Path parent, OutputOptions options, Clock clock) {
		return new OutputStore(parent, options, clock, new LastingOutputs(parent.resolve("calls"), options));
	}

	/**
	 * Opens the outputs of a call without a session.
	 * @param tenantId the tenant whose limit the outputs count towards
	 * @param principalId the principal, the only one to read the outputs in later calls
	 * @return the outputs
	 */
	public SessionOutputs openForOneCall(String tenantId, String principalId) {
		return open(tenantId, (this.lasting != null) ? new LastingOutputs.Owner(tenantId, principalId) : null);
	}

	/**
	 * Opens the outputs of a new session. No other session can read them.
	 * @param tenantId the tenant whose limit the outputs count towards
	 * @return the outputs
	 */
	public SessionOutputs open(String tenantId) {
		return open(tenantId, null);
	}

	private SessionOutputs open(String tenantId, LastingOutputs.@Nullable Owner owner) {
		SessionOutputs session = new SessionOutputs(this, tenantId, owner);
		synchronized (this) {
			this.sessions.add(session);
		}
		return session;
	}

	/**
	 * Removes all outputs, even of open sessions. No further output is kept.
	 */
	@Override
	public void close() {
		List<SessionOutputs> open;
		synchronized (this) {
			this.closed = true;
			open = List.copyOf(this.sessions);
		}
		open.forEach(SessionOutputs::close);
		this.directory.close();
	}

	/**
	 * Moves an output to the outputs of calls without a session.
	 * @return the id of the output, null if it cannot be kept
	 */
	@Nullable String last(LastingOutputs.Owner owner, Path file) {
		try {
			return Objects.requireNonNull(this.lasting).keep(owner, file, now());
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "An output cannot be kept for later calls", ex);
			return null;
		}
	}

	@Nullable KeptOutput findLasting(LastingOutputs.Owner owner, String id) {
		return Objects.requireNonNull(this.lasting).find(owner, id, now());
	}

	OutputOptions options() {
		return this.options;
	}

	Instant now() {
		return this.clock.instant();
	}

	/**
	 * Removes the expired outputs of every session.
	 */
	void sweep() {
		List<SessionOutputs> open;
		synchronized (this) {
			open = List.copyOf(this.sessions);
		}
		open.forEach(SessionOutputs::sweep);
	}

	/**
	 * Creates a file with mode 0600.
	 */
	synchronized Path newFile() throws IOException {
		if (this.closed) {
			throw new IOException("The output store is closed");
		}
		return Files.createTempFile(this.directory.path(), "", ".txt");
	}

	/**
	 * Counts bytes towards the limit of a tenant.
	 * @param bytes the number of bytes
	 * @return whether the bytes are within the limit; if not, they are not counted
	 */
	synchronized boolean charge(String tenantId, long bytes) {
		long charged = this.bytesByTenant.getOrDefault(tenantId, 0L) + bytes;
		if (charged > this.options.maxBytesPerTenant()) {
			return false;
		}
		this.bytesByTenant.put(tenantId, charged);
		return true;
	}

	synchronized void release(String tenantId, long bytes) {
		this.bytesByTenant.computeIfPresent(tenantId,
				(tenant, charged) -> (charged > bytes) ? Long.valueOf(charged - bytes) : null);
	}

	synchronized void remove(SessionOutputs session) {
		this.sessions.remove(session);
	}

}
