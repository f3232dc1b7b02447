package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration.LocalFiles;
import io.kairo.workspace.ephemeral.EphemeralWorkspaceProvider;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The provider of workspaces that go with their session.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(EphemeralWorkspaceProvider.class)
@ConditionalOnBooleanProperty(name = "kairo.workspace.ephemeral.enabled", matchIfMissing = true)
@ConditionalOnMissingBean(name = "kairoEphemeralWorkspaces", value = WorkspaceProvider.class)
class EphemeralWorkspacesConfiguration {

	@Bean
	EphemeralWorkspaces kairoEphemeralWorkspacesOwner(WorkspaceProperties properties, KairoProperties kairo) {
		return new EphemeralWorkspaces(
				new EphemeralWorkspaceProvider(properties.ephemeral().options(kairo, properties)));
	}

	@Bean
	WorkspaceProviderRegistration kairoEphemeralWorkspaces(EphemeralWorkspaces owner, WorkspaceProperties properties,
			LocalFiles localFiles) {
		WorkspaceFilesFactory files = localFiles.factory();
		return new WorkspaceProviderRegistration("ephemeral",
				properties.readOnly() ? new ReadOnlyWorkspaceProvider(owner.provider()) : owner.provider(), files);
	}

	/**
	 * Removes what an application left that was killed, when this one starts, and what
	 * was not released, when it ends. No bean of the provider's type, since there is one
	 * {@link WorkspaceProvider}.
	 *
	 * @param provider makes the workspaces
	 */
	record EphemeralWorkspaces(
			EphemeralWorkspaceProvider provider) implements SmartInitializingSingleton, DisposableBean {

		@Override
		public void afterSingletonsInstantiated() {
			Thread thread = new Thread(this.provider::sweep, "kairo-ephemeral-sweep");
			thread.setDaemon(true);
			thread.start();
		}

		@Override
		public void destroy() {
			this.provider.close();
		}

	}

}
