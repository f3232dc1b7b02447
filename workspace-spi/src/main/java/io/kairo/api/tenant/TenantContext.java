package io.kairo.api.tenant;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The tenant and the principal on whose behalf a unit of work is done. Immutable.
 * <p>
 * The identity comes from configuration or from the authenticated caller, never from an
 * argument chosen by a model.
 *
 * @param tenantId the tenant, never blank
 * @param principalId the user or service inside the tenant, never blank
 * @param attributes further attributes of the caller; copied, so that later changes to
 * the argument have no effect
 */
public record TenantContext(String tenantId, String principalId, Map<String, String> attributes) {

	/**
	 * Name of the attribute, span tag or log key that carries the tenant id.
	 */
	public static final String ATTR_TENANT_ID = "tenant.id";

	/**
	 * Name of the attribute, span tag or log key that carries the principal id.
	 */
	public static final String ATTR_PRINCIPAL_ID = "tenant.principal";

	/**
	 * Name of the attribute that carries the id of the working agent. It names a
	 * workspace and is not an authentication.
	 */
	public static final String ATTR_AGENT_ID = "agent.id";

	/**
	 * The tenant of an application with only one tenant: {@code default}, with the
	 * principal {@code anonymous} and no attributes.
	 */
	public static final TenantContext SINGLE = new TenantContext("default", "anonymous");

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if an id is blank
	 */
	public TenantContext {
		requireText(tenantId, "tenantId");
		requireText(principalId, "principalId");
		attributes = Map.copyOf(attributes);
	}

	/**
	 * Creates a context without attributes.
	 * @param tenantId the tenant, never blank
	 * @param principalId the user or service inside the tenant, never blank
	 * @throws IllegalArgumentException if an id is blank
	 */
	public TenantContext(String tenantId, String principalId) {
		this(tenantId, principalId, Map.of());
	}

	/**
	 * Returns the given tenant, or {@link #SINGLE} if there is none: requests of an
	 * application that has only one tenant need not name it. An application with several
	 * tenants determines the tenant before it creates a request, and refuses a caller
	 * whose tenant is unknown: null must not reach a request there.
	 * @param tenant the tenant, or null
	 * @return the tenant, never null
	 */
	public static TenantContext orSingle(@Nullable TenantContext tenant) {
		return (tenant != null) ? tenant : SINGLE;
	}

	private static void requireText(String value, String name) {
		if (value.isBlank()) {
			throw new IllegalArgumentException(name + " must not be blank");
		}
	}

}
