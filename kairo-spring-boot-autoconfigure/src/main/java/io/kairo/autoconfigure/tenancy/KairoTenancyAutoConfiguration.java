package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.micrometer.context.ContextRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Auto-configuration of the {@link TenantContextHolder}: the tenant that is bound to the
 * thread, or else the tenant of the authenticated principal, or else the default tenant.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TenancyProperties.class)
public final class KairoTenancyAutoConfiguration {

	KairoTenancyAutoConfiguration() {
	}

	@Bean
	BoundTenants kairoBoundTenants() {
		return new BoundTenants();
	}

	@Bean
	@ConditionalOnMissingBean
	TenantContextHolder kairoTenantContextHolder(BoundTenants bound, TenancyProperties properties,
			ObjectProvider<PrincipalSource> principals, ObjectProvider<TenantResolver> resolver,
			Environment environment) {
		PrincipalSource source = principals.getIfAvailable();
		Boolean required = properties.required();
		if (required == null) {
			// a thread without an authenticated principal is an error then
			required = source != null && keepsTenantsApart(environment);
		}
		TenantContext fallback = new TenantContext(properties.defaultTenant(), TenantContext.SINGLE.principalId());
		return new ResolvingTenantContextHolder(bound, (source != null) ? source : () -> null,
				resolver.getIfAvailable(() -> new PrincipalNameTenantResolver(properties.defaultTenant())),
				required ? null : fallback);
	}

	/**
	 * Returns whether each tenant has its own primary root.
	 */
	private static boolean keepsTenantsApart(Environment environment) {
		List<String> roots = Binder.get(environment)
			.bind("kairo.workspace.roots", Bindable.listOf(String.class))
			.orElseGet(List::of);
		return !roots.isEmpty() && roots.get(0).contains("{tenant}");
	}

	/**
	 * Supplies the principal that Spring Security has authenticated.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolderStrategy.class)
	static class SecurityConfiguration {

		@Bean
		PrincipalSource kairoSecurityContextPrincipal(ObjectProvider<SecurityContextHolderStrategy> strategy) {
			SecurityContextHolderStrategy own = strategy.getIfAvailable();
			Supplier<SecurityContextHolderStrategy> current = (own != null) ? () -> own
					: SecurityContextHolder::getContextHolderStrategy;
			return new SecurityContextPrincipal(current);
		}

	}

	/**
	 * Propagates bound tenants to other threads.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextRegistry.class)
	static class PropagationConfiguration {

		@Bean
		@Lazy(false)
		TenantPropagation kairoTenantPropagation(BoundTenants bound) {
			return new TenantPropagation(bound, ContextRegistry.getInstance());
		}

	}

	/**
	 * {@link TenantResolver} that uses the name of a principal as the tenant. The name of
	 * the default tenant is rejected, so that a principal cannot become the default
	 * tenant by its name.
	 *
	 * @param defaultTenant the rejected name
	 */
	private record PrincipalNameTenantResolver(String defaultTenant) implements TenantResolver {

		@Override
		public TenantContext resolve(Principal principal) {
			String name = principal.getName();
			if (name.equals(this.defaultTenant)) {
				throw new TenantRequiredException("The principal '" + name + "' has the name of the default tenant: "
						+ "set kairo.tenancy.default to a name that no principal has, or map principals with a "
						+ "TenantResolver");
			}
			return new TenantContext(name, name);
		}

	}

}
