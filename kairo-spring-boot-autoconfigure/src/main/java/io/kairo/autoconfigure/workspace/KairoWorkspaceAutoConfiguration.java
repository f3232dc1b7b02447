package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.NameMatching;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link WorkspaceProvider} over local directories, and of the
 * way to their files.
 *
 * @since 0.1.0
 */
@AutoConfiguration
@ConditionalOnClass(LocalDirectoryWorkspaceProvider.class)
@EnableConfigurationProperties({ KairoProperties.class, WorkspaceProperties.class })
public final class KairoWorkspaceAutoConfiguration {

	KairoWorkspaceAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean
	WorkspaceProvider kairoWorkspaceProvider(WorkspaceProperties properties) {
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(properties.primaryRoot(),
				properties.additionalRoots());
		return properties.readOnly() ? provider.readOnly() : provider;
	}

	@Bean
	@ConditionalOnMissingBean
	WorkspaceFilesFactory kairoWorkspaceFilesFactory(WorkspaceProperties properties, KairoProperties kairo) {
		kairo.requireUsable(properties);
		return new LocalWorkspaceFilesFactory(new LocalFilesOptions(properties.pathPolicy(),
				properties.readOnly() ? WritePolicy.READ_ONLY : WritePolicy.ALLOW_ALL, kairo.stateDirectory(),
				properties.caseInsensitive() ? NameMatching.CASE_INSENSITIVE : NameMatching.FILE_SYSTEM));
	}

}
