package io.kairo.autoconfigure.tenancy;

import io.kairo.api.tenant.TenantContextHolder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link TenantContextHolder}, bound to threads.
 *
 * @since 0.1.0
 */
@AutoConfiguration
public final class KairoTenancyAutoConfiguration {

	KairoTenancyAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	TenantContextHolder kairoTenantContextHolder() {
		return TenantContextHolder.threadBound();
	}

}
