package io.kairo.autoconfigure.tenancy;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KairoTenancyAutoConfiguration}.
 */
class KairoTenancyAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoTenancyAutoConfiguration.class));

	@Test
	void tenantIsBoundToTheThread() {
		this.contextRunner.run((context) -> {
			TenantContextHolder holder = context.getBean(TenantContextHolder.class);
			try (TenantContextHolder.Scope scope = holder.bind(new TenantContext("acme", "ann"))) {
				assertThat(holder.current().tenantId()).isEqualTo("acme");
			}
			assertThat(holder.current()).isEqualTo(TenantContext.SINGLE);
		});
	}

	@Test
	void beanOfTheApplicationWins() {
		this.contextRunner.withBean(TenantContextHolder.class, () -> TenantContextHolder.NOOP)
			.run((context) -> assertThat(context).getBean(TenantContextHolder.class)
				.isSameAs(TenantContextHolder.NOOP));
	}

}
