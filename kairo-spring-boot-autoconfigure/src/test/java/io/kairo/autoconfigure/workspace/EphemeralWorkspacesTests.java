package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.workspace.ephemeral.EphemeralWorkspaceProvider;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EphemeralWorkspacesConfiguration}.
 */
class EphemeralWorkspacesTests {

	@TempDir
	Path temp;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void prepare() throws IOException {
		Files.createDirectories(this.temp.resolve("seeds/acme/template"));
		Files.writeString(this.temp.resolve("seeds/acme/template/file"), "x");
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.temp.resolve("state"));
	}

	private static Workspace acquire(ApplicationContext context, String hint) {
		return context.getBean(WorkspaceProvider.class).acquire(WorkspaceRequest.writable(hint));
	}

	@Test
	void workspacesAreCreatedByDefaultAndRemovedOnShutdown() {
		AtomicReference<Workspace> left = new AtomicReference<>();
		this.contextRunner.run((context) -> {
			Workspace workspace = acquire(context, "ephemeral:");
			assertThat(workspace.kind()).isEqualTo(WorkspaceKind.EPHEMERAL);
			assertThat(workspace.root()).startsWith(this.temp.resolve("state/ephemeral"));
			WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
			assertThat(files.tryWriteFile("a/b", "x").isOk()).isTrue();
			left.set(workspace);
		});
		assertThat(left.get().root()).doesNotExist();
	}

	@Test
	void ephemeralCanBeTheDefaultProvider() {
		this.contextRunner.withPropertyValues("kairo.workspace.provider=ephemeral").run((context) -> {
			assertThat(acquire(context, null).root()).isNotEqualTo(acquire(context, null).root());
			assertThat(context.getBean(WorkspaceProperties.class).description()).startsWith("new for each session")
				.doesNotContain("add-dirs");
		});
	}

	@Test
	void additionalDirectoriesThatSessionsDoNotHaveAreDescribed() throws IOException {
		Path library = Files.createDirectory(this.temp.resolve("library"));
		this.contextRunner
			.withPropertyValues("kairo.workspace.provider=ephemeral", "kairo.workspace.add-dirs=" + library)
			.run((context) -> assertThat(context.getBean(WorkspaceProperties.class).description())
				.endsWith("without add-dirs, which only workspaces of the provider local have"));
	}

	@Test
	void providerIsDisabledByProperty() {
		this.contextRunner.withPropertyValues("kairo.workspace.ephemeral.enabled=false")
			.run((context) -> assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> acquire(context, "ephemeral:"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.UNKNOWN_PROVIDER)));
	}

	@Test
	void registrationOfSameNameReplacesTheDefault() {
		this.contextRunner.withUserConfiguration(OwnEphemeralWorkspaces.class)
			.run((context) -> assertThat(acquire(context, "ephemeral:x").onDisk()).isFalse());
	}

	@Test
	void providerBacksOffWithoutItsClass() {
		this.contextRunner.withClassLoader(new FilteredClassLoader(EphemeralWorkspaceProvider.class))
			.run((context) -> assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> acquire(context, "ephemeral:")));
	}

	@Test
	void workspacesAreReadOnlyIfConfigured() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.read-only=true",
					"kairo.workspace.ephemeral.seeds=" + this.temp.resolve("seeds/acme"))
			.run((context) -> {
				Workspace workspace = acquire(context, "ephemeral:template");
				assertThat(workspace.writable()).isFalse();
				WorkspaceFiles files = context.getBean(WorkspaceFilesFactory.class).open(workspace);
				assertThat(files.tryReadFile("file").value().content()).isEqualTo("x");
				assertThat(files.tryWriteFile("file", "y").isOk()).isFalse();
			});
	}

	@Test
	void documentedExampleGivesEachTenantItsSeeds() {
		this.contextRunner
			.withPropertyValues(DocumentedConfiguration.of("workspaces-ephemeral.md", "By property")
				.with("/srv/agents/scratch", this.temp.resolve("scratch"))
				.with("/srv/agents/seeds", this.temp.resolve("seeds"))
				.properties())
			.run((context) -> {
				Workspace workspace = context.getBean(WorkspaceProvider.class)
					.acquire(new WorkspaceRequest("ephemeral:template", new TenantContext("acme", "ann"), true));
				assertThat(workspace.root()).startsWith(this.temp.resolve("scratch"));
				assertThat(workspace.root().resolve("file")).hasContent("x");
				assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> context.getBean(WorkspaceProvider.class)
						.acquire(new WorkspaceRequest("../acme/template", new TenantContext("globex", "bob"), true)));
			});
	}

	@ParameterizedTest
	@CsvSource({ "seeds, /no/such/directory, there is no such directory", "seeds, 'a{b}', braces",
			"seeds, TEMP, overlaps the directory", "directory, TEMP/file, it is not a directory",
			"directory, TEMP/root/below, overlaps a root", "max-seed-size, -1B, negative",
			"max-seed-files, -1, negative" })
	void invalidValueIsReportedWithPropertyAndRemedy(String property, String value, String message) throws IOException {
		Files.writeString(this.temp.resolve("file"), "x");
		Files.createDirectories(this.temp.resolve("root"));
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + this.temp.resolve("root"),
					"kairo.workspace.ephemeral." + property + "=" + value.replace("TEMP", this.temp.toString()))
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.hasMessageContaining("kairo.workspace.ephemeral." + property)
				.hasMessageContaining(message));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnEphemeralWorkspaces {

		@Bean
		WorkspaceProviderRegistration kairoEphemeralWorkspaces() {
			InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider();
			return new WorkspaceProviderRegistration("ephemeral", new WorkspaceProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return provider.acquire(new WorkspaceRequest("x", request.tenant(), request.writable()));
				}

				@Override
				public void release(String workspaceId) {
					provider.release(workspaceId);
				}

			}, provider);
		}

	}

}
