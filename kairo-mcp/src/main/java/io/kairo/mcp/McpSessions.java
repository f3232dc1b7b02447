package io.kairo.mcp;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.kairo.api.tenant.TenantContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema.InitializeRequest;
import io.modelcontextprotocol.spec.McpStreamableServerSession;
import io.modelcontextprotocol.spec.McpStreamableServerSession.McpStreamableServerSessionInit;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The sessions of clients, and the streams that they have opened, one for each session.
 * Sessions end when they have not been used for a while; beyond a maximum number, the
 * least recently used session of a tenant ends, never a session of a tenant with fewer
 * sessions. Streams end with their session, when a comment reveals that the client is
 * gone, and before a graceful shutdown waits for requests in progress. Safe for use by
 * several threads.
 */
final class McpSessions implements McpStreamableServerTransportProvider, SmartLifecycle, AutoCloseable {

	/** More than one, since a client that does not read blocks a thread for a while. */
	private static final int THREADS = 4;

	/**
	 * The web server loses track of a request if a write on another thread fails before
	 * the thread of the request has returned.
	 */
	private static final Duration RETURN_TIME = Duration.ofSeconds(1);

	private final McpProperties properties;

	private final boolean expire;

	private final LongSupplier nanoTime;

	private final TenantSlots streamSlots;

	private final ScheduledThreadPoolExecutor timer;

	/** By id; guarded by this object, like the map below. */
	private final Map<String, McpSession> sessions = new HashMap<>();

	/** By tenant, in the order of the last use. */
	private final Map<String, Map<String, McpSession>> tenants = new HashMap<>();

	private final List<Consumer<McpSession>> whenEnded = new ArrayList<>();

	private McpStreamableServerSession.@Nullable Factory factory;

	private volatile boolean running = true;

	/**
	 * Creates an empty collection.
	 * @param expire whether unused sessions end
	 */
	McpSessions(McpProperties properties, boolean expire, LongSupplier nanoTime) {
		this.properties = properties;
		this.expire = expire;
		this.nanoTime = nanoTime;
		this.streamSlots = new TenantSlots(properties.limits().streams(), properties.limits().streamsPerTenant());
		CustomizableThreadFactory threads = new CustomizableThreadFactory("kairo-mcp-streams-");
		threads.setDaemon(true);
		this.timer = new ScheduledThreadPoolExecutor(THREADS, threads, new DiscardPolicy());
		this.timer.setRemoveOnCancelPolicy(true);
	}

	/**
	 * Registers an action for the end of each session. Not thread-safe.
	 */
	void onEnd(Consumer<McpSession> action) {
		this.whenEnded.add(action);
	}

	ScheduledThreadPoolExecutor timer() {
		return this.timer;
	}

	@Override
	public void setSessionFactory(McpStreamableServerSession.Factory factory) {
		this.factory = factory;
	}

	/**
	 * Begins a session of the SDK, without adding it.
	 */
	McpStreamableServerSessionInit begin(InitializeRequest request) {
		return Objects.requireNonNull(this.factory).startSession(request);
	}

	/**
	 * Adds a session, and ends those that have expired or are too many.
	 * @param owner the owner, empty for a caller without a tenant
	 */
	void add(McpStreamableServerSession opened, Optional<TenantContext> owner) {
		List<McpSession> ended;
		synchronized (this) {
			ended = expired();
			ended.forEach((session) -> remove(session.id()));
			Map<String, McpSession> own = put(new McpSession(opened, owner.orElse(null), this.nanoTime.getAsLong()));
			McpProperties.Limits limits = this.properties.limits();
			if (own.size() > limits.sessionsPerTenant()) {
				ended.add(removeOldest(own));
			}
			else if (this.sessions.size() > limits.sessions()) {
				ended.add(removeOldest(
						this.tenants.values().stream().max(Comparator.comparingInt(Map::size)).orElseThrow()));
			}
		}
		ended.forEach(this::ended);
	}

	private List<McpSession> expired() {
		long now = this.nanoTime.getAsLong();
		List<McpSession> expired = new ArrayList<>();
		for (Map<String, McpSession> own : this.tenants.values()) {
			for (McpSession session : own.values()) {
				if (!isExpired(session, now)) {
					break;
				}
				expired.add(session);
			}
		}
		return expired;
	}

	private boolean isExpired(McpSession session, long now) {
		return this.expire && now - session.lastUse() > this.properties.sessionTimeout().toNanos();
	}

	private McpSession removeOldest(Map<String, McpSession> own) {
		McpSession oldest = own.values().iterator().next();
		remove(oldest.id());
		return oldest;
	}

	private Map<String, McpSession> put(McpSession session) {
		Map<String, McpSession> own = this.tenants.computeIfAbsent(session.tenant(), (tenant) -> new LinkedHashMap<>());
		own.put(session.id(), session);
		this.sessions.put(session.id(), session);
		return own;
	}

	private void remove(String id) {
		McpSession session = this.sessions.remove(id);
		if (session != null) {
			this.tenants.computeIfPresent(session.tenant(), (tenant, own) -> {
				own.remove(id);
				return own.isEmpty() ? null : own;
			});
		}
	}

	/**
	 * Returns a session, and marks it as used.
	 * @return the session, null if it is not one of the caller
	 */
	synchronized @Nullable McpSession use(Optional<TenantContext> caller, String id) {
		McpSession session = this.sessions.get(id);
		long now = this.nanoTime.getAsLong();
		if (session == null || isExpired(session, now) || !session.isOwnedBy(caller.orElse(null))) {
			return null;
		}
		session.use(now);
		remove(id);
		put(session);
		return session;
	}

	synchronized boolean isOpen(String id) {
		McpSession session = this.sessions.get(id);
		return session != null && !isExpired(session, this.nanoTime.getAsLong());
	}

	/**
	 * Ends a session with its stream and its calls.
	 */
	void end(McpSession session) {
		synchronized (this) {
			remove(session.id());
		}
		ended(session);
	}

	private void ended(McpSession session) {
		session.endStream();
		session.cancelAll();
		session.sdk().closeGracefully().onErrorComplete().subscribe();
		this.whenEnded.forEach((action) -> action.accept(session));
	}

	/**
	 * Opens the stream of a session, and ends the previous one, whose slot it can have.
	 * @throws McpRefusedException if too many streams are open, or the server is shutting
	 * down
	 */
	void listen(McpCall call, McpSession session, McpJsonMapper mapper) throws IOException {
		session.endStream();
		if (!this.running) {
			throw new McpRefusedException(503, "The server is shutting down");
		}
		TenantSlots.Slot slot = this.streamSlots.take(call.tenant());
		if (slot == null) {
			throw McpRefusedException.tooManyStreams(this.properties.limits());
		}
		McpOutput output;
		try {
			output = call.exchange().stream();
		}
		catch (IOException | RuntimeException ex) {
			slot.close();
			throw ex;
		}
		McpEventStream stream = new McpEventStream(output, mapper, () -> this.running && isOpen(session.id()), () -> {
			slot.close();
			session.endStream(output);
		}, false, this.timer);
		session.open(output, stream);
		output.onEnd(stream::ended);
		stream.beat();
		stream.beat(this.timer, RETURN_TIME.plus(this.properties.heartbeatInterval()),
				this.properties.heartbeatInterval());
	}

	/**
	 * Returns whether a session has an open stream.
	 */
	synchronized boolean isListening(String id) {
		McpSession session = this.sessions.get(id);
		return session != null && session.isListening();
	}

	private synchronized List<McpSession> all() {
		return List.copyOf(this.sessions.values());
	}

	int count() {
		return all().size();
	}

	/**
	 * Returns the number of open streams.
	 */
	long streams() {
		return all().stream().filter(McpSession::isListening).count();
	}

	@Override
	public Mono<Void> notifyClients(String method, @Nullable Object params) {
		return Flux.fromIterable(all())
			.filter(McpSession::isListening)
			.flatMap((session) -> session.sdk()
				.sendNotification(method, params)
				.onErrorComplete()
				.subscribeOn(Schedulers.boundedElastic()))
			.then();
	}

	@Override
	public Mono<Void> notifyClient(String id, String method, @Nullable Object params) {
		McpSession session;
		synchronized (this) {
			session = this.sessions.get(id);
		}
		return (session != null) ? session.sdk().sendNotification(method, params) : Mono.empty();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.running = false;
		all().forEach(McpSession::endStream);
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.fromRunnable(this::close);
	}

	@Override
	public void close() {
		stop();
		this.timer.shutdown();
	}

}
