package io.kairo.autoconfigure.workspace;

import java.util.List;

import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.WorkspaceRoots;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.quota.QuotaFilesFactory;
import io.kairo.workspace.quota.WorkspaceQuota;
import io.kairo.workspace.routing.LeaseBounds;
import io.kairo.workspace.routing.LeasingWorkspaceProvider;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import io.kairo.workspace.routing.WorkspaceListener;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the {@link WorkspaceProvider} that delegates to all
 * {@link WorkspaceProviderRegistration} beans, including the providers of local
 * directories and of memory, and of the {@link WorkspaceFilesFactory}.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(LocalDirectoryWorkspaceProvider.class)
@EnableConfigurationProperties({ KairoProperties.class, TenancyProperties.class, WorkspaceProperties.class })
@Import({ EphemeralWorkspacesConfiguration.class, TaskWorkspaceConfiguration.class })
public final class KairoWorkspaceAutoConfiguration {

	KairoWorkspaceAutoConfiguration() {
	}

	@Bean(defaultCandidate = false)
	@ConditionalOnMissingBean(name = "kairoLocalWorkspaces", value = WorkspaceProvider.class)
	LocalDirectoryWorkspaceProvider kairoLocalDirectories(WorkspaceProperties properties, TenancyProperties tenancy,
			@Qualifier("kairoLocalFilesOptions") LocalFilesOptions options) {
		return new LocalDirectoryWorkspaceProvider(properties.templates(), tenancy.defaultTenant(), options);
	}

	@Bean
	@ConditionalOnBean(name = "kairoLocalDirectories")
	WorkspaceProviderRegistration kairoLocalWorkspaces(WorkspaceProperties properties,
			@Qualifier("kairoLocalDirectories") LocalDirectoryWorkspaceProvider provider,
			@Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory files) {
		return new WorkspaceProviderRegistration("local", properties.readOnly() ? provider.readOnly() : provider,
				files);
	}

	@Bean
	@ConditionalOnBean(name = "kairoLocalDirectories")
	WorkspaceRoots kairoWorkspaceRoots(@Qualifier("kairoLocalDirectories") LocalDirectoryWorkspaceProvider provider) {
		return provider.added();
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMemoryWorkspaces", value = WorkspaceProvider.class)
	WorkspaceProviderRegistration kairoMemoryWorkspaces(WorkspaceProperties properties) {
		InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider(properties.writePolicy());
		return new WorkspaceProviderRegistration("memory", properties.restricted(provider), provider);
	}

	@Bean
	CommandUser kairoCommandUser(Environment environment) {
		return CommandUser.of(environment);
	}

	@Bean(defaultCandidate = false)
	LocalFilesOptions kairoLocalFilesOptions(WorkspaceProperties properties, KairoProperties kairo, CommandUser user) {
		StateDirectoryCheck.requireUsable(kairo, properties);
		properties.usedTemplates().forEach((root) -> user.warnOfBarrier("kairo.workspace.roots", root.base()));
		return new LocalFilesOptions(properties.pathPolicy(), properties.writePolicy(), kairo.stateDirectory(),
				properties.nameMatching(), user.user(), kairo.nativeCalls());
	}

	/**
	 * The only factory for files on the disk, since it holds their locks.
	 */
	@Bean(defaultCandidate = false)
	LocalWorkspaceFilesFactory kairoLocalFiles(@Qualifier("kairoLocalFilesOptions") LocalFilesOptions options) {
		return new LocalWorkspaceFilesFactory(options);
	}

	@Bean
	WorkspaceListener kairoWorkspaceEvents(ConfigurableApplicationContext context) {
		return new WorkspaceEvents(context);
	}

	@Bean
	@ConditionalOnMissingBean(WorkspaceProvider.class)
	RoutingWorkspaceProvider kairoWorkspaceProvider(WorkspaceProperties properties,
			ObjectProvider<WorkspaceProviderRegistration> registrations, ObjectProvider<WorkspaceListener> listeners,
			TenancyProperties tenancy) {
		List<WorkspaceProviderRegistration> all = registrations.orderedStream().toList();
		List<String> schemes = all.stream().map(WorkspaceProviderRegistration::scheme).toList();
		if (properties.provider().equals("task") && !schemes.contains("task")) {
			throw new InvalidConfigurationPropertyValueException("kairo.workspace.provider", properties.provider(),
					"the provider needs a directory: set kairo.workspace.task.data-dir");
		}
		if (!schemes.contains(properties.provider())) {
			throw new InvalidConfigurationPropertyValueException("kairo.workspace.provider", properties.provider(),
					"there is no such provider: use one of " + schemes);
		}
		RoutingWorkspaceProvider provider = new RoutingWorkspaceProvider(properties.provider(),
				bounded(all, properties.quota().quota()), listeners.orderedStream().toList(),
				new LeaseBounds(properties.idleTimeout(), tenancy::maxWorkspaces, properties.closeTimeout()));
		if (!provider.knows(properties.hint())) {
			throw new InvalidConfigurationPropertyValueException("kairo.workspace.hint", properties.hint(),
					"no provider has its scheme: start it with one of " + schemes
							+ " and a colon, or write ./ before a path with a colon");
		}
		return provider;
	}

	@Bean
	@Lazy(false)
	@ConditionalOnBean(LeasingWorkspaceProvider.class)
	IdleExpiry kairoLeaseExpiry(LeasingWorkspaceProvider provider, WorkspaceProperties properties) {
		return new IdleExpiry("workspaces", properties.idleTimeout(), provider::releaseIdle);
	}

	@Bean
	@ConditionalOnMissingBean
	WorkspaceFilesFactory kairoWorkspaceFilesFactory(WorkspaceProvider provider,
			@Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory localFiles, WorkspaceProperties properties) {
		return (provider instanceof LeasingWorkspaceProvider leasing) ? leasing.files()
				: bounded(localFiles, properties.quota().quota());
	}

	/**
	 * Applies the quota to the files of every provider.
	 */
	private static List<WorkspaceProviderRegistration> bounded(List<WorkspaceProviderRegistration> registrations,
			@Nullable WorkspaceQuota quota) {
		return registrations.stream()
			.map((each) -> new WorkspaceProviderRegistration(each.scheme(), each.provider(),
					bounded(each.files(), quota)))
			.toList();
	}

	private static WorkspaceFilesFactory bounded(WorkspaceFilesFactory files, @Nullable WorkspaceQuota quota) {
		return (quota != null) ? new QuotaFilesFactory(files, quota) : files;
	}

}
