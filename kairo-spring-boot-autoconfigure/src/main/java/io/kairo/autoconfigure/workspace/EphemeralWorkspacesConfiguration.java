package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.boot.CommandUser;
import io.kairo.boot.KairoProperties;
import io.kairo.workspace.ephemeral.EphemeralWorkspaceProvider;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The provider of workspaces that are removed with their session.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(EphemeralWorkspaceProvider.class)
@ConditionalOnBooleanProperty(name = "kairo.workspace.ephemeral.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(name = "kairoEphemeralWorkspaces", value = WorkspaceProvider.class)
class EphemeralWorkspacesConfiguration {

	@Bean(defaultCandidate = false)
	EphemeralWorkspaceProvider kairoEphemeralWorkspaceProvider(WorkspaceProperties properties, KairoProperties kairo,
			CommandUser user) {
		return new EphemeralWorkspaceProvider(properties.ephemeral().options(kairo, properties, user));
	}

	@Bean
	WorkspaceProviderRegistration kairoEphemeralWorkspaces(
			@Qualifier("kairoEphemeralWorkspaceProvider") EphemeralWorkspaceProvider provider,
			WorkspaceProperties properties, @Qualifier("kairoLocalFiles") LocalWorkspaceFilesFactory files) {
		return new WorkspaceProviderRegistration("ephemeral", properties.restricted(provider), files);
	}

	/**
	 * Removes the workspaces of applications that were killed, in the background.
	 */
	@Bean
	SmartInitializingSingleton kairoEphemeralSweep(
			@Qualifier("kairoEphemeralWorkspaceProvider") EphemeralWorkspaceProvider provider) {
		return () -> {
			Thread thread = new Thread(provider::sweep, "kairo-ephemeral-sweep");
			thread.setDaemon(true);
			thread.start();
		};
	}

}
