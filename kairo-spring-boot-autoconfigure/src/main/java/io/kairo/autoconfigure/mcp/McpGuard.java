package io.kairo.autoconfigure.mcp;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Function;

import io.kairo.tools.LimitExceeded;
import io.kairo.tools.session.ProcessorTurn;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/**
 * The rules for requests to an MCP endpoint: refuses requests from foreign web pages, and
 * bounds the size of messages and the number of messages in progress. Safe for use by
 * several threads.
 */
final class McpGuard {

	private final McpProperties properties;

	private final McpOrigins origins;

	private final JsonMapper mapper;

	private final Function<String, ProcessorTurn> turns;

	private final Function<String, Optional<LimitExceeded>> rate;

	private final Set<String> notifications;

	private final TenantSlots requestSlots;

	/** For notifications and answers while all slots for requests are taken. */
	private final TenantSlots spareSlots;

	/** The chunks that all large messages in progress can take. */
	private final Semaphore chunks;

	/**
	 * Creates the rules of an endpoint.
	 * @param turns waits for the turn of a request of a tenant on a processor
	 * @param rate counts a session that a tenant opens, and returns the limit that it
	 * exceeds
	 * @param notifications the methods of the notifications to pass on; others are
	 * accepted without effect
	 */
	McpGuard(McpProperties properties, JsonMapper mapper, Function<String, ProcessorTurn> turns,
			Function<String, Optional<LimitExceeded>> rate, Set<String> notifications) {
		this.properties = properties;
		this.origins = new McpOrigins(properties.allowedOrigins());
		this.mapper = mapper;
		this.turns = turns;
		this.rate = rate;
		this.notifications = notifications;
		McpProperties.Limits limits = properties.limits();
		this.requestSlots = new TenantSlots(limits.requests(), limits.requestsPerTenant());
		this.spareSlots = new TenantSlots(spare(limits.requests()), spare(limits.requestsPerTenant()));
		this.chunks = McpBody.chunks(properties.maxRequestSize());
	}

	/**
	 * Returns the number of slots for notifications and answers.
	 */
	static int spare(int requests) {
		return requests / 10 + 1;
	}

	McpProperties properties() {
		return this.properties;
	}

	JsonMapper mapper() {
		return this.mapper;
	}

	ProcessorTurn turn(String tenant) {
		return this.turns.apply(tenant);
	}

	/**
	 * Refuses a request from a foreign web page.
	 * @param origin the header {@code Origin}, null if there is none
	 * @param host the header {@code Host}, null if there is none
	 * @param secure whether the request arrived over TLS
	 * @param localAddress the local address of the request
	 */
	void requireOwnOrigin(@Nullable String origin, @Nullable InetSocketAddress host, boolean secure,
			String localAddress) {
		int port = (host != null && host.getPort() > 0) ? host.getPort() : secure ? 443 : 80;
		String refusal = this.origins.refusal(origin, (host != null) ? host.getHostString() : null, port, localAddress);
		if (refusal != null) {
			throw new McpRefusedException(HttpStatus.FORBIDDEN, refusal);
		}
	}

	/**
	 * Refuses a message that a web page can send without permission, or that the server
	 * would decode differently.
	 */
	void requireJson(Optional<MediaType> type) {
		if (!type.filter(McpGuard::isJson).isPresent()) {
			throw new McpRefusedException(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
					"The content type " + type.map(MediaType::toString).orElse("")
							+ " is not accepted: send messages as application/json in UTF-8");
		}
	}

	private static boolean isJson(MediaType type) {
		return MediaType.APPLICATION_JSON.isCompatibleWith(type)
				&& (type.getCharset() == null || type.getCharset().equals(StandardCharsets.UTF_8));
	}

	/**
	 * Admits a message of a tenant.
	 * @param tenant the id of the tenant, empty if there is none
	 * @throws McpRefusedException if too many messages are in progress
	 */
	Admission admit(String tenant) {
		TenantSlots.Slot free = this.requestSlots.take(tenant);
		TenantSlots.Slot slot = (free != null) ? free : this.spareSlots.take(tenant);
		if (slot == null) {
			throw tooManyRequests();
		}
		return new Admission(tenant, slot, free == null,
				new McpBody(this.properties.maxRequestSize(), this.chunks, () -> turn(tenant)));
	}

	private McpRefusedException tooManyRequests() {
		McpProperties.Limits limits = this.properties.limits();
		return new McpRefusedException(HttpStatus.TOO_MANY_REQUESTS,
				("%d requests of a tenant or %d in all are in progress, or as many of the tenant as are left for others: "
						+ "wait for one of them to end")
					.formatted(limits.requestsPerTenant(), limits.requests()));
	}

	/**
	 * Checks a message that was read.
	 * @return the message to pass on, null if it is accepted without effect
	 * @throws McpRefusedException if it is refused
	 */
	@Nullable Passed check(Admission admission) {
		byte[] json = admission.body().content();
		try {
			McpMessage message = McpMessage.read(this.mapper, json);
			if (admission.spare() && message.isRequest()) {
				throw tooManyRequests();
			}
			if (message.isNotification() && !this.notifications.contains(message.method())) {
				return null;
			}
			return new Passed(message, content(admission.tenant(), message, json));
		}
		catch (IllegalArgumentException ex) {
			throw new McpRefusedException(HttpStatus.BAD_REQUEST, String.valueOf(ex.getMessage()));
		}
	}

	private byte[] content(String tenant, McpMessage message, byte[] json) {
		if (message.method().equals(McpMessage.INITIALIZE)) {
			Optional<LimitExceeded> exceeded = this.rate.apply(tenant);
			if (exceeded.isPresent()) {
				throw new McpRefusedException(HttpStatus.TOO_MANY_REQUESTS, exceeded.get().result().text());
			}
			return McpMessage.cleanInitialize(this.mapper, json);
		}
		String uri = message.uri();
		return (uri != null && message.method().equals(McpMessage.READ_RESOURCE) && McpFileUri.isFile(uri))
				? McpMessage.withUri(this.mapper, json, McpFileUri.toSingleSegment(uri)) : json;
	}

	/**
	 * A message in progress.
	 *
	 * @param tenant the id of the tenant, empty if there is none
	 * @param slot its slot
	 * @param spare whether the slots for requests are taken
	 * @param body its content
	 */
	record Admission(String tenant, TenantSlots.Slot slot, boolean spare, McpBody body) implements AutoCloseable {

		@Override
		public void close() {
			this.body.close();
			this.slot.close();
		}

	}

	/**
	 * A message to pass on to the server.
	 *
	 * @param message the message
	 * @param content its content in JSON
	 */
	record Passed(McpMessage message, byte[] content) {

	}

}
