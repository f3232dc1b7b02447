package io.kairo.autoconfigure.tenancy;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import io.kairo.boot.TenantRequiredException;
import reactor.core.publisher.Hooks;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * The rule for callers without a tenant in an application whose requests are
 * authenticated in a Reactor context: they are rejected, since a thread without the
 * propagated context cannot be told from a thread without an authenticated caller.
 */
final class ReactiveTenancy implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ReactiveTenancy.class);

	private static final String REMEDY = "set spring.reactor.context-propagation=auto";

	private final TenancyProperties properties;

	ReactiveTenancy(TenancyProperties properties) {
		this.properties = properties;
	}

	/**
	 * Returns the exception for a thread without a tenant. Callers without a tenant
	 * cannot be accepted before their authentication is known on every thread.
	 */
	TenantRequiredException refusal() {
		return Hooks.isAutomaticContextPropagationEnabled() ? new TenantRequiredException()
				: new TenantRequiredException("No tenant is bound and no principal is known on this thread: " + REMEDY
						+ ", authenticate the caller, or bind a tenant with TenantContextHolder");
	}

	/**
	 * Checks that no authenticated caller can become the default tenant.
	 * @throws InvalidConfigurationPropertyValueException if callers without a tenant are
	 * accepted, and the authenticated caller is not known everywhere
	 */
	@Override
	public void afterSingletonsInstantiated() {
		if (Hooks.isAutomaticContextPropagationEnabled()) {
			return;
		}
		if (Boolean.FALSE.equals(this.properties.required())) {
			throw new InvalidConfigurationPropertyValueException("kairo.tenancy.required", false,
					"the authenticated caller of a reactive application would become the default tenant on threads "
							+ "that do not know the caller; " + REMEDY + ", or remove this property");
		}
		logger.info("Tools are called for the user of a reactive request in streams of Spring AI only, and are refused "
				+ "in other calls: " + REMEDY + " for all of them");
	}

}
