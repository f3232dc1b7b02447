package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.tenant.TenantContext;

/**
 * Limits the number of values of the tag {@code tenant}: the first tenants have a value
 * each, all others share one.
 */
final class TenantTag {

	private static final String OTHER = "other";

	private final int maxTenants;

	private final Set<String> tenants = ConcurrentHashMap.newKeySet();

	TenantTag(int maxTenants) {
		this.maxTenants = maxTenants;
	}

	String value(TenantContext tenant) {
		String id = tenant.tenantId();
		return (this.tenants.contains(id) || admit(id)) ? id : OTHER;
	}

	private synchronized boolean admit(String id) {
		return this.tenants.contains(id) || (this.tenants.size() < this.maxTenants && this.tenants.add(id));
	}

}
