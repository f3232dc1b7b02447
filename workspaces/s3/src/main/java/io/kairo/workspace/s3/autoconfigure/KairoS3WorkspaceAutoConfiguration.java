package io.kairo.workspace.s3.autoconfigure;

import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.boot.WorkspaceSettings;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.s3.S3Credentials;
import io.kairo.workspace.s3.S3Encryption;
import io.kairo.workspace.s3.S3Limits;
import io.kairo.workspace.s3.S3Options;
import io.kairo.workspace.s3.S3WorkspaceProvider;
import io.kairo.workspace.s3.WriteBackMode;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of workspaces with the objects of S3 buckets, for hints that start
 * with {@code s3://}. Backs off unless there is a location that workspaces can be opened
 * in.
 */
@AutoConfiguration(beforeName = "io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration")
@ConditionalOnClass(KairoProperties.class)
@ConditionalOnBooleanProperty(name = { "kairo.enabled", "kairo.workspace.s3.enabled" }, matchIfMissing = true)
@ConditionalOnMissingBean(name = "kairoS3Workspaces", value = WorkspaceProvider.class)
@Conditional(KairoS3WorkspaceAutoConfiguration.OnLocations.class)
@EnableConfigurationProperties({ KairoProperties.class, S3Properties.class })
public final class KairoS3WorkspaceAutoConfiguration {

	KairoS3WorkspaceAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	S3Credentials kairoS3Credentials(S3Properties properties) {
		return new PropertyS3Credentials(properties.credentials());
	}

	@Bean(defaultCandidate = false)
	S3WorkspaceProvider kairoS3WorkspaceProvider(S3Properties properties, WorkspaceSettings workspace,
			KairoProperties kairo, S3Credentials credentials, CommandUser user,
			ObjectProvider<S3OptionsCustomizer> customizers) {
		Path own = properties.directory();
		if (own != null) {
			workspace.requireApart("kairo.workspace.s3.directory", own);
		}
		S3Options.Builder options = options(properties, (own != null) ? own : user.defaultDirectory(kairo, "s3"))
			.owner(user.user());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(options));
		return new S3WorkspaceProvider(options.build(), credentials);
	}

	@Bean
	WorkspaceProviderRegistration kairoS3Workspaces(@Qualifier("kairoS3WorkspaceProvider") S3WorkspaceProvider provider,
			WorkspaceSettings workspace, @Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory files) {
		return new WorkspaceProviderRegistration("s3", workspace.restricted(provider), provider.files(files));
	}

	private static S3Options.Builder options(S3Properties properties, Path directory) {
		S3Options.Builder options;
		try {
			options = S3Options.in(directory, properties.locations().toArray(String[]::new));
		}
		catch (WorkspacePathException ex) {
			throw S3Properties.invalid("locations", properties.locations(), String.valueOf(ex.getMessage()));
		}
		try {
			options.endpoint(properties.endpoint());
		}
		catch (IllegalArgumentException ex) {
			throw S3Properties.invalid("endpoint", properties.endpoint(), String.valueOf(ex.getMessage()));
		}
		return options.region(properties.region())
			.pathStyle(properties.pathStyle())
			.encryption(
					new S3Encryption(S3Encryption.Kind.valueOf(properties.encryption().name()), properties.kmsKey()))
			.writeBack(WriteBackMode.valueOf(properties.writeBack().name()))
			.limits(new S3Limits(properties.maxObjects(), properties.maxSize().toBytes(),
					properties.maxObjectSize().toBytes(), properties.concurrency(), properties.timeout()));
	}

	/**
	 * Matches if there is a location.
	 */
	static final class OnLocations extends OnPropertyListCondition {

		OnLocations() {
			super("kairo.workspace.s3.locations", () -> ConditionMessage.forCondition("S3 locations"));
		}

	}

	/**
	 * Health indicator that reports workspaces whose changes were not written back. Does
	 * not access any bucket.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
	static class S3HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("kairo-s3")
		@ConditionalOnMissingBean(name = "kairoS3HealthIndicator")
		HealthIndicator kairoS3HealthIndicator(@Qualifier("kairoS3WorkspaceProvider") S3WorkspaceProvider provider,
				S3Properties properties) {
			return () -> Health.up()
				.withDetail("locations", properties.locations())
				.withDetail("unwritten", provider.unwritten().size())
				.build();
		}

	}

}
