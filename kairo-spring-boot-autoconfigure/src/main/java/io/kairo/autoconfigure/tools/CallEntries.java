package io.kairo.autoconfigure.tools;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.SessionRequest;
import org.jspecify.annotations.Nullable;

/**
 * The entries that an application adds to the calls of a framework: the tenant of a call,
 * its session and its workspace. Models cannot change them. An entry of a wrong type is
 * an error of the application and is rejected with an exception.
 *
 * @param entries the entries
 * @param place the place that the application puts them in, for messages, such as
 * {@code the tool context}
 */
public record CallEntries(Map<String, Object> entries, String place) {

	/** The session of the call. */
	public static final String SESSION_ID = "kairo.session.id";

	/** A sub-agent within the session. */
	public static final String CHILD = "kairo.session.child";

	/**
	 * The tenant with its attributes, in addition to the entries with its id and
	 * principal.
	 */
	public static final String TENANT = "kairo.tenant";

	/** The hint of the session's workspace. */
	public static final String WORKSPACE = "kairo.workspace";

	/** Whether changes are refused. */
	public static final String READ_ONLY = "kairo.workspace.read-only";

	private static final Set<String> NAMES = Set.of(SESSION_ID, CHILD, TENANT, WORKSPACE, READ_ONLY,
			TenantContext.ATTR_TENANT_ID, TenantContext.ATTR_PRINCIPAL_ID, TenantContext.ATTR_AGENT_ID);

	/**
	 * Returns whether an entry has a name.
	 * @param name the name
	 * @return whether an entry has this name
	 */
	public static boolean isEntry(String name) {
		return NAMES.contains(name);
	}

	/**
	 * Returns the requested session.
	 * @param fallback the tenant if the entries name none
	 * @param conversation the session if the entries name none; null for a session of the
	 * call alone
	 * @return the session
	 * @throws IllegalArgumentException if an entry has a wrong type
	 */
	public SessionRequest session(Supplier<TenantContext> fallback, @Nullable Object conversation) {
		Object id = this.entries.getOrDefault(SESSION_ID, conversation);
		SessionRequest request = SessionRequest.of(tenant(fallback), (id != null) ? id.toString() : null)
			.in(text(WORKSPACE))
			.child(child());
		return readOnly() ? request.readOnly() : request;
	}

	/**
	 * Returns whether the application names the tenant, so that there is no fallback.
	 * @return true if there is such an entry
	 */
	public boolean hasTenant() {
		return this.entries.get(TenantContext.ATTR_TENANT_ID) != null;
	}

	private TenantContext tenant(Supplier<TenantContext> fallback) {
		Object tenantId = this.entries.get(TenantContext.ATTR_TENANT_ID);
		TenantContext tenant = (tenantId != null) ? named(tenantId.toString()) : fallback.get();
		Object agentId = this.entries.get(TenantContext.ATTR_AGENT_ID);
		if (agentId == null) {
			return tenant;
		}
		Map<String, String> attributes = new HashMap<>(tenant.attributes());
		attributes.put(TenantContext.ATTR_AGENT_ID, agentId.toString());
		return new TenantContext(tenant.tenantId(), tenant.principalId(), attributes);
	}

	private TenantContext named(String tenantId) {
		String principal = this.entries.getOrDefault(TenantContext.ATTR_PRINCIPAL_ID, tenantId).toString();
		return (this.entries.get(TENANT) instanceof TenantContext whole && whole.tenantId().equals(tenantId)
				&& whole.principalId().equals(principal)) ? whole : new TenantContext(tenantId, principal);
	}

	private @Nullable String child() {
		String child = text(CHILD);
		if (child != null && child.isBlank()) {
			throw new IllegalArgumentException("The entry '" + CHILD + "' of " + this.place
					+ " is blank: set the name of the sub-agent, or remove the entry");
		}
		return child;
	}

	private @Nullable String text(String name) {
		Object value = this.entries.get(name);
		if (value == null || value instanceof String) {
			return (String) value;
		}
		throw wrongType(name, value, "a String");
	}

	private boolean readOnly() {
		Object value = this.entries.get(READ_ONLY);
		if (value == null || value instanceof Boolean) {
			return Boolean.TRUE.equals(value);
		}
		throw wrongType(READ_ONLY, value, "a Boolean");
	}

	private IllegalArgumentException wrongType(String name, Object value, String expected) {
		return new IllegalArgumentException("The entry '" + name + "' of " + this.place + " is a "
				+ value.getClass().getName() + ": put " + expected + " there, or nothing");
	}

}
