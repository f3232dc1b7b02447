package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.git.GitWorkspaceProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Health indicator that reports the Git client. Does not access any remote.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
class GitHealthConfiguration {

	@Bean
	@ConditionalOnEnabledHealthIndicator("kairoGit")
	@ConditionalOnMissingBean(name = "kairoGitHealthIndicator")
	HealthIndicator kairoGitHealthIndicator(@Qualifier("kairoGitWorkspaceProvider") GitWorkspaceProvider provider,
			WorkspaceProperties properties) {
		return () -> Health.up()
			.withDetail("client", provider.client())
			.withDetail("allowedUrls", properties.git().allowedUrls())
			.build();
	}

}
