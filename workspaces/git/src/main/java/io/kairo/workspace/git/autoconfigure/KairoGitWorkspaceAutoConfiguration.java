package io.kairo.workspace.git.autoconfigure;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.boot.WorkspaceSettings;
import io.kairo.workspace.git.GitAuthor;
import io.kairo.workspace.git.GitClientKind;
import io.kairo.workspace.git.GitCredentials;
import io.kairo.workspace.git.GitLimits;
import io.kairo.workspace.git.GitOptions;
import io.kairo.workspace.git.GitWorkspaceProvider;
import io.kairo.workspace.git.OfflineMode;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of workspaces that are checkouts of remote Git repositories, for
 * hints that start with {@code git:}.
 */
@AutoConfiguration(beforeName = "io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration")
@ConditionalOnClass(KairoProperties.class)
@ConditionalOnBooleanProperty(name = { "kairo.enabled", "kairo.workspace.git.enabled" }, matchIfMissing = true)
@ConditionalOnMissingBean(name = "kairoGitWorkspaces", value = WorkspaceProvider.class)
@EnableConfigurationProperties({ KairoProperties.class, GitProperties.class })
public final class KairoGitWorkspaceAutoConfiguration {

	KairoGitWorkspaceAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	GitCredentials kairoGitCredentials(GitProperties properties) {
		return new PropertyGitCredentials(properties.credentials());
	}

	@Bean(defaultCandidate = false)
	GitWorkspaceProvider kairoGitWorkspaceProvider(GitProperties git, WorkspaceSettings workspace,
			KairoProperties kairo, GitCredentials credentials, CommandUser user,
			ObjectProvider<GitOptionsCustomizer> customizers) {
		Path own = git.directory();
		if (own != null) {
			workspace.requireApart("kairo.workspace.git.directory", own);
		}
		Path directory = (own != null) ? own : user.defaultDirectory(kairo, "git");
		GitOptions options = customizers.orderedStream()
			.reduce(options(git, directory).withOwner(user.user()), (each, next) -> next.customize(each),
					(first, last) -> last);
		return new GitWorkspaceProvider(options, credentials);
	}

	@Bean
	WorkspaceProviderRegistration kairoGitWorkspaces(
			@Qualifier("kairoGitWorkspaceProvider") GitWorkspaceProvider provider, WorkspaceSettings workspace,
			@Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory files) {
		return new WorkspaceProviderRegistration("git", workspace.restricted(provider), files);
	}

	private static GitOptions options(GitProperties git, Path directory) {
		GitLimits limits = new GitLimits(git.timeout(), git.maxStoreSize().toBytes(), git.maxCheckoutSize().toBytes(),
				Math.toIntExact(git.maxDiffSize().toBytes()));
		GitAuthor author = (git.authorName() != null && git.authorEmail() != null)
				? new GitAuthor(git.authorName(), git.authorEmail()) : null;
		try {
			return new GitOptions(directory, GitClientKind.valueOf(git.client().name()), git.allowedUrls(),
					git.fetchAfter(), git.depth(), OfflineMode.valueOf(git.offline().name()), limits, author,
					git.storeIdleTimeout());
		}
		catch (IllegalArgumentException ex) {
			throw GitProperties.invalid("allowed-urls", git.allowedUrls(), String.valueOf(ex.getMessage()));
		}
	}

	/**
	 * Health indicator that reports the Git client. Does not access any remote.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	static class GitHealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("kairo-git")
		@ConditionalOnMissingBean(name = "kairoGitHealthIndicator")
		HealthIndicator kairoGitHealthIndicator(@Qualifier("kairoGitWorkspaceProvider") GitWorkspaceProvider provider,
				GitProperties properties) {
			return () -> Health.up()
				.withDetail("client", provider.client())
				.withDetail("allowedUrls", properties.allowedUrls())
				.build();
		}

	}

}
