package io.kairo.autoconfigure.workspace;

import java.util.List;

import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.WorkspaceRoots;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.quota.QuotaFilesFactory;
import io.kairo.workspace.quota.WorkspaceQuota;
import io.kairo.workspace.routing.LeaseBounds;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import io.kairo.workspace.routing.WorkspaceListener;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;

/**
 * Auto-configuration of the one {@link WorkspaceProvider} over every
 * {@link WorkspaceProviderRegistration} bean, among them those of local directories and
 * of memory, and of the way to the files.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(LocalDirectoryWorkspaceProvider.class)
@EnableConfigurationProperties({ KairoProperties.class, TenancyProperties.class, WorkspaceProperties.class })
@Import({ EphemeralWorkspacesConfiguration.class, TaskWorkspaceConfiguration.class })
public final class KairoWorkspaceAutoConfiguration {

	KairoWorkspaceAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoLocalWorkspaces", value = WorkspaceProvider.class)
	LocalDirectories kairoLocalDirectories(WorkspaceProperties properties, TenancyProperties tenancy,
			LocalFiles localFiles) {
		return new LocalDirectories(new LocalDirectoryWorkspaceProvider(properties.templates(), tenancy.defaultTenant(),
				localFiles.options()));
	}

	@Bean
	@ConditionalOnBean(LocalDirectories.class)
	WorkspaceProviderRegistration kairoLocalWorkspaces(WorkspaceProperties properties, LocalDirectories directories,
			LocalFiles localFiles) {
		LocalDirectoryWorkspaceProvider provider = directories.provider();
		return new WorkspaceProviderRegistration("local", properties.readOnly() ? provider.readOnly() : provider,
				localFiles.factory());
	}

	@Bean
	@ConditionalOnBean(LocalDirectories.class)
	WorkspaceRoots kairoWorkspaceRoots(LocalDirectories directories) {
		return directories.provider().added();
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMemoryWorkspaces", value = WorkspaceProvider.class)
	WorkspaceProviderRegistration kairoMemoryWorkspaces(WorkspaceProperties properties) {
		InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider(properties.writePolicy());
		return new WorkspaceProviderRegistration("memory",
				properties.readOnly() ? new ReadOnlyWorkspaceProvider(provider) : provider, provider);
	}

	@Bean
	LocalFiles kairoLocalFiles(WorkspaceProperties properties, KairoProperties kairo) {
		kairo.requireUsable(properties);
		LocalFilesOptions options = new LocalFilesOptions(properties.pathPolicy(), properties.writePolicy(),
				kairo.stateDirectory(), properties.nameMatching());
		return new LocalFiles(options, new LocalWorkspaceFilesFactory(options));
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
					"the workspaces of agents need a directory: set kairo.workspace.task.data-dir");
		}
		if (!schemes.contains(properties.provider())) {
			throw new InvalidConfigurationPropertyValueException("kairo.workspace.provider", properties.provider(),
					"there is no such provider; use one of " + schemes);
		}
		RoutingWorkspaceProvider provider = new RoutingWorkspaceProvider(properties.provider(),
				bounded(all, properties.quota().quota()), listeners.orderedStream().toList(),
				new LeaseBounds(properties.idleTimeout(), tenancy::maxWorkspaces, properties.closeTimeout()));
		if (!provider.knows(properties.hint())) {
			throw new InvalidConfigurationPropertyValueException("kairo.workspace.hint", properties.hint(),
					"no provider is there for it; start it with one of " + schemes
							+ " and a colon, or write ./ before a path with a colon");
		}
		return provider;
	}

	@Bean
	@Lazy(false)
	@ConditionalOnBean(RoutingWorkspaceProvider.class)
	IdleExpiry kairoLeaseExpiry(RoutingWorkspaceProvider provider, WorkspaceProperties properties) {
		return new IdleExpiry("workspaces", properties.idleTimeout(), provider::releaseIdle);
	}

	@Bean
	@ConditionalOnMissingBean
	WorkspaceFilesFactory kairoWorkspaceFilesFactory(WorkspaceProvider provider, LocalFiles localFiles,
			WorkspaceProperties properties) {
		return (provider instanceof RoutingWorkspaceProvider router) ? router.files()
				: bounded(localFiles.factory(), properties.quota().quota());
	}

	/**
	 * Puts the quota in front of the files of every provider.
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

	/**
	 * The one way to files on the disk: its locks are its own. No bean of its type, since
	 * there is one {@link WorkspaceFilesFactory}.
	 *
	 * @param options what applies to all of them
	 * @param factory opens the files
	 */
	record LocalFiles(LocalFilesOptions options, LocalWorkspaceFilesFactory factory) {

	}

	/**
	 * The one provider of directories. No bean of its type, since there is one
	 * {@link WorkspaceProvider}.
	 *
	 * @param provider makes the workspaces
	 */
	record LocalDirectories(LocalDirectoryWorkspaceProvider provider) {

	}

}
