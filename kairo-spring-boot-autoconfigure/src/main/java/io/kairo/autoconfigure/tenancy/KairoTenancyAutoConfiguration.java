package io.kairo.autoconfigure.tenancy;

import java.security.Principal;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.boot.TenantRequiredException;
import io.micrometer.context.ContextRegistry;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.security.core.context.ReactiveSecurityContextHolderThreadLocalAccessor;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;

/**
 * Auto-configuration of the {@link TenantContextHolder}: the tenant that is bound to the
 * thread, or else the tenant of the authenticated principal, or else the default tenant.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@EnableConfigurationProperties(TenancyProperties.class)
public final class KairoTenancyAutoConfiguration {

	private final TenancyProperties properties;

	private final Environment environment;

	KairoTenancyAutoConfiguration(TenancyProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Bean
	BoundTenants kairoBoundTenants() {
		return new BoundTenants();
	}

	@Bean
	@ConditionalOnMissingBean
	TenantContextHolder kairoTenantContextHolder(BoundTenants bound, ObjectProvider<PrincipalSource> principals,
			ObjectProvider<TenantResolver> resolver, ObjectProvider<ReactiveTenancy> reactive) {
		List<PrincipalSource> sources = principals.orderedStream().toList();
		ReactiveTenancy authenticated = reactive.getIfAvailable();
		Boolean required = this.properties.required();
		if (required == null) {
			// a thread without an authenticated principal is an error then
			required = !sources.isEmpty() && (keepsTenantsApart() || authenticated != null);
		}
		TenantContext fallback = new TenantContext(this.properties.defaultTenant(), TenantContext.SINGLE.principalId());
		return new ResolvingTenantContextHolder(bound, PrincipalSource.firstOf(sources),
				resolver.getIfAvailable(() -> new PrincipalNameTenantResolver(this.properties.defaultTenant())),
				required ? null : fallback,
				(authenticated != null) ? authenticated::refusal : TenantRequiredException::new);
	}

	/**
	 * Returns whether each tenant has its own primary root.
	 */
	private boolean keepsTenantsApart() {
		List<String> roots = Binder.get(this.environment)
			.bind("kairo.workspace.roots", Bindable.listOf(String.class))
			.orElseGet(List::of);
		return !roots.isEmpty() && roots.get(0).contains("{tenant}");
	}

	/**
	 * Supplies the principal that Spring Security has authenticated. Obtains the strategy
	 * for each call, since an application can replace it.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SecurityContextHolderStrategy.class)
	static class SecurityConfiguration {

		@Bean
		@Order(0)
		PrincipalSource kairoSecurityContextPrincipal(ObjectProvider<SecurityContextHolderStrategy> strategy) {
			SecurityContextHolderStrategy own = strategy.getIfAvailable();
			Supplier<SecurityContextHolderStrategy> current = (own != null) ? () -> own
					: SecurityContextHolder::getContextHolderStrategy;
			return new SecurityContextPrincipal(() -> current.get().getContext());
		}

		/**
		 * Ensures that an authenticated caller of a reactive application does not become
		 * the default tenant.
		 */
		@Bean
		@Conditional(OnReactiveRequests.class)
		@ConditionalOnMissingBean(TenantContextHolder.class)
		@Lazy(false)
		ReactiveTenancy kairoReactiveTenancy(TenancyProperties properties) {
			return new ReactiveTenancy(properties);
		}

	}

	/**
	 * Supplies the principal of a reactive security context, where Micrometer's context
	 * propagation restores it on a thread.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ContextRegistry.class, ReactiveSecurityContextHolderThreadLocalAccessor.class })
	static class ReactiveSecurityConfiguration {

		private static final Duration TIMEOUT = Duration.ofSeconds(10);

		@Bean
		@Order(1)
		PrincipalSource kairoReactiveSecurityContextPrincipal() {
			ReactiveSecurityContextHolderThreadLocalAccessor accessor = new ReactiveSecurityContextHolderThreadLocalAccessor();
			return new SecurityContextPrincipal(() -> {
				Mono<SecurityContext> context = accessor.getValue();
				return (context != null) ? context.block(TIMEOUT) : null;
			});
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
