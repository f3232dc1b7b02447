package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.Assumptions;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.routing.DuplicateSchemeException;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoWorkspaceAutoConfiguration}.
 */
class KairoWorkspaceAutoConfigurationTests {

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class));

	@Test
	void defaultWorkspaceIsTheWorkingDirectory() {
		this.contextRunner.run((context) -> {
			Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
			assertThat(workspace.root()).isEqualTo(Path.of("").toAbsolutePath());
			assertThat(context).doesNotHaveBean(Workspace.class).doesNotHaveBean(WorkspaceFiles.class);
		});
	}

	@Test
	void workspaceHasConfiguredRootsAndDirectories() throws IOException {
		Path primary = Files.createDirectory(this.directory.resolve("primary"));
		Path second = Files.createDirectory(this.directory.resolve("second"));
		Path added = Files.createDirectory(this.directory.resolve("added"));
		Files.writeString(added.resolve("lib.txt"), "library");
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + primary + "," + second, "kairo.workspace.add-dirs=" + added)
			.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
				assertThat(workspace.root()).isEqualTo(primary);
				assertThat(workspace.roots()).containsExactly(primary, second, added);
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.read(files.resolve(added + "/lib.txt", files.root()), 0, 100).value().bytes())
					.asString()
					.isEqualTo("library");
			});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void namesMatchInOtherCaseOnlyIfConfigured(boolean insensitive) throws IOException {
		Files.writeString(this.directory.resolve("readme.md"), "text");
		Assumptions.assumeFalse(Files.exists(this.directory.resolve("README.md")), "the file system ignores case");
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory,
					"kairo.workspace.case-insensitive=" + insensitive)
			.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.read(files.resolve("README.md", files.root()), 0, 100).isOk()).isEqualTo(insensitive);
			});
	}

	@ParameterizedTest
	@CsvSource({ "logical,, true", "logical, false, false", "roots,, false", "relative-only,, false" })
	void namesMatchInOtherCaseByDefaultWithLogicalPaths(String policy, String insensitive, boolean matches)
			throws IOException {
		Files.writeString(this.directory.resolve("readme.md"), "text");
		Assumptions.assumeFalse(Files.exists(this.directory.resolve("README.md")), "the file system ignores case");
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.directory, "kairo.workspace.path-policy=" + policy,
					(insensitive != null) ? "kairo.workspace.case-insensitive=" + insensitive
							: "kairo.workspace.read-only=false")
			.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null));
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.tryReadFile("README.md").isOk()).isEqualTo(matches);
			});
	}

	@Test
	void readOnlyWorkspaceIsNotWritable() {
		this.contextRunner.withPropertyValues("kairo.workspace.read-only=true")
			.run((context) -> assertThat(
					context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)).writable())
				.isFalse());
	}

	@Test
	void providerBeanOfTheApplicationReplacesTheDefault() {
		this.contextRunner.withUserConfiguration(OwnProvider.class)
			.run((context) -> assertThat(context).getBean(WorkspaceProvider.class)
				.isNotInstanceOf(RoutingWorkspaceProvider.class));
	}

	@Test
	void workspacesBackOffWithoutWorkspaceLocal() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(LocalDirectoryWorkspaceProvider.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(WorkspaceProvider.class));
	}

	@Nested
	class Providers {

		@Test
		void memoryProviderIsRegistered() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class)
					.acquire(WorkspaceRequest.writable("memory:notes"));
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.tryWriteFile("a", "x").isOk()).isTrue();
				assertThat(workspace.onDisk()).isFalse();
			});
		}

		@Test
		void memoryCanBeTheDefaultProvider() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner
				.withPropertyValues("kairo.workspace.provider=memory")
				.run((context) -> assertThat(
						context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(null)).id())
					.isEqualTo("memory:default"));
		}

		@Test
		void memoryWorkspaceIsReadOnlyIfConfigured() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner.withPropertyValues("kairo.workspace.read-only=true")
				.run((context) -> {
					Workspace workspace = context.getBean(WorkspaceProvider.class)
						.acquire(WorkspaceRequest.writable("memory:notes"));
					assertThat(
							context.getBean(WorkspaceFilesFactory.class).open(workspace).tryWriteFile("a", "x").isOk())
						.isFalse();
				});
		}

		@Test
		void providerOfTheApplicationIsRegistered() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner
				.withBean("own", WorkspaceProviderRegistration.class, () -> memory("own"))
				.run((context) -> assertThat(
						context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable("own:")).onDisk())
					.isFalse());
		}

		@Test
		void duplicateSchemeFailsStartupWithAdvice() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner
				.withBean("own", WorkspaceProviderRegistration.class, () -> memory("memory"))
				.run((context) -> {
					assertThat(context).getFailure().rootCause().isInstanceOf(DuplicateSchemeException.class);
					FailureAnalysis analysis = new DuplicateSchemeFailureAnalyzer()
						.analyze(context.getStartupFailure());
					assertThat(analysis.getDescription()).contains("'memory:'");
					assertThat(analysis.getAction()).contains("kairoMemoryWorkspaces");
				});
		}

		@Test
		void registrationOfSameNameReplacesTheDefault() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner
				.withBean("kairoMemoryWorkspaces", WorkspaceProviderRegistration.class, () -> memory("memory"))
				.run((context) -> assertThat(context).hasNotFailed());
		}

		private static WorkspaceProviderRegistration memory(String scheme) {
			InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider();
			return new WorkspaceProviderRegistration(scheme, new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return provider.acquire(WorkspaceRequest.writable(null));
				}

				@Override
				public void release(String workspaceId) {
					provider.release(workspaceId);
				}

			}, provider);
		}

	}

	@Nested
	class Tenants {

		@Test
		void tenantsHaveTheirOwnDirectories() {
			Path directory = KairoWorkspaceAutoConfigurationTests.this.directory;
			KairoWorkspaceAutoConfigurationTests.this.contextRunner
				.withPropertyValues("kairo.workspace.roots=" + directory + "/{tenant}")
				.run((context) -> {
					assertThat(acquireAs(context, "acme").root()).isEqualTo(directory.resolve("acme")).isDirectory();
					assertThat(acquireAs(context, "globex").root()).isEqualTo(directory.resolve("globex"));
				});
		}

		@Test
		void otherTenantsAreRejectedWithoutTenantSegment() {
			KairoWorkspaceAutoConfigurationTests.this.contextRunner.withPropertyValues("kairo.tenancy.default=house")
				.run((context) -> {
					assertThat(acquireAs(context, "house").root()).isEqualTo(Path.of("").toAbsolutePath());
					assertThatExceptionOfType(WorkspacePathException.class)
						.isThrownBy(() -> acquireAs(context, "default"))
						.withMessageContaining("{tenant}");
				});
		}

		private static Workspace acquireAs(ApplicationContext context, String tenant) {
			return context.getBean(WorkspaceProvider.class)
				.acquire(new WorkspaceRequest(null, new TenantContext(tenant, "ann"), true));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnProvider {

		@Bean
		WorkspaceProvider ownProvider() {
			return new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return Workspace.cwd();
				}

				@Override
				public void release(String workspaceId) {
				}

			};
		}

	}

}
