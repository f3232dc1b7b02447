package io.kairo.autoconfigure.tenancy;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.micrometer.context.ContextRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Auto-configuration of the {@link TenantContextHolder}: what is bound to the thread,
 * else the authenticated principal, else the default tenant.
 *
 * @since 0.1.0
 */
@AutoConfiguration
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
			ObjectProvider<PrincipalSource> principals, ObjectProvider<TenantResolver> resolver) {
		TenantContext fallback = new TenantContext(properties.defaultTenant(), TenantContext.SINGLE.principalId());
		return new ResolvingTenantContextHolder(bound, principals.getIfAvailable(() -> () -> null),
				resolver
					.getIfAvailable(() -> (principal) -> new TenantContext(principal.getName(), principal.getName())),
				properties.required() ? null : fallback);
	}

	/**
	 * Asks Spring Security who is authenticated.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolderStrategy.class)
	static class SecurityConfiguration {

		@Bean
		PrincipalSource kairoSecurityContextPrincipal(ObjectProvider<SecurityContextHolderStrategy> strategy) {
			return new SecurityContextPrincipal(
					strategy.getIfAvailable(SecurityContextHolder::getContextHolderStrategy));
		}

	}

	/**
	 * Carries what is bound to other threads.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ContextRegistry.class)
	static class PropagationConfiguration {

		@Bean
		TenantPropagation kairoTenantPropagation(BoundTenants bound) {
			return new TenantPropagation(bound, ContextRegistry.getInstance());
		}

	}

}
