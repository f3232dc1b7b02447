package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.workspace.git.GitClientKind;
import io.kairo.workspace.git.GitCredential;
import io.kairo.workspace.git.GitCredentials;
import io.kairo.workspace.git.GitWorkspaceProvider;
import io.kairo.workspace.git.autoconfigure.GitOptionsCustomizer;
import io.kairo.workspace.git.autoconfigure.KairoGitWorkspaceAutoConfiguration;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import io.kairo.workspace.routing.RoutingWorkspaceProvider;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoGitWorkspaceAutoConfiguration}.
 */
class KairoGitWorkspaceAutoConfigurationTests {

	@TempDir
	Path directory;

	private String remote;

	private ApplicationContextRunner contextRunner;

	@BeforeEach
	void makeRepository() throws Exception {
		Path repository = this.directory.resolve("shop");
		try (Git git = Git.init().setDirectory(repository.toFile()).setInitialBranch("main").call()) {
			Files.writeString(repository.resolve("README.md"), "# shop\n");
			git.add().addFilepattern(".").call();
			git.commit().setMessage("Begin").setAuthor("Ann", "ann@example.org").setSign(false).call();
		}
		this.remote = "file://" + repository.toRealPath();
		this.contextRunner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoGitWorkspaceAutoConfiguration.class,
					KairoWorkspaceAutoConfiguration.class, KairoToolsAutoConfiguration.class))
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"),
					"kairo.workspace.git.allowed-urls=" + this.remote);
	}

	private Workspace acquire(WorkspaceProvider provider) {
		return provider.acquire(WorkspaceRequest.writable("git:" + this.remote));
	}

	@Test
	void gitHintAcquiresCheckout() {
		this.contextRunner.run((context) -> {
			WorkspaceProvider provider = context.getBean(WorkspaceProvider.class);
			Workspace workspace = acquire(provider);
			assertThat(context.getBean(WorkspaceFilesFactory.class)
				.open(workspace)
				.tryReadFile("README.md")
				.value()
				.content()).isEqualTo("# shop\n");
			assertThat(workspace.metadata()).containsEntry("git.branch", "main");
			assertThat(workspace.root()).startsWith(this.directory.resolve("state/git").toRealPath());
			provider.release(workspace.id());
			assertThat(workspace.root()).doesNotExist();
		});
	}

	@Test
	void unreleasedCheckoutIsRemovedOnShutdown() {
		Path[] root = new Path[1];
		this.contextRunner.run((context) -> root[0] = acquire(context.getBean(WorkspaceProvider.class)).root());
		assertThat(root[0]).doesNotExist();
	}

	/**
	 * A process that can write to a store of Git can make Git run programs on the host.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "root/git", "root", "link", "link/git", "" })
	void directoryThatOverlapsRootFailsStartup(String place) throws IOException {
		Path root = Files.createDirectories(this.directory.resolve("root/inner"));
		Files.createSymbolicLink(this.directory.resolve("link"), root);
		this.contextRunner
			.withPropertyValues("kairo.workspace.roots=" + root.getParent(),
					"kairo.workspace.git.directory=" + this.directory.resolve(place))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(InvalidConfigurationPropertyValueException.class, (ex) -> {
					assertThat(ex.getName()).isEqualTo("kairo.workspace.git.directory");
					assertThat(ex.getReason()).contains("overlaps a root", "use a separate directory");
				}));
	}

	@Test
	void documentedConfigurationWorks() {
		String[] documented = DocumentedConfiguration.of("workspaces-git.md", "Configuration")
			.with("allowed-urls: https://git.example.org/team/", "allowed-urls: " + this.remote)
			.with("${TEAM_GIT_TOKEN}", "s3cret")
			.properties();
		this.contextRunner.withPropertyValues(documented).run((context) -> {
			assertThat(acquire(context.getBean(WorkspaceProvider.class)).metadata()).containsKey("git.commit");
			GitCredentials credentials = context.getBean(GitCredentials.class);
			assertThat(credentials.find("https://git.example.org/team/shop.git", TenantContext.SINGLE))
				.isEqualTo(new GitCredential("x-access-token", "s3cret"));
			assertThat(credentials.find("https://git.example.org/teammates/shop.git", TenantContext.SINGLE)).isNull();
			assertThat(credentials.find("https://git.example.org/team", TenantContext.SINGLE)).isNotNull();
			assertThat(context.getBean(WorkspaceProperties.class).toString()).doesNotContain("s3cret");
		});
	}

	@Test
	void credentialCanBeRestrictedToTenant() {
		this.contextRunner
			.withPropertyValues("kairo.workspace.git.credentials[0].url=https://host/",
					"kairo.workspace.git.credentials[0].tenant=acme", "kairo.workspace.git.credentials[0].password=x")
			.run((context) -> {
				GitCredentials credentials = context.getBean(GitCredentials.class);
				assertThat(credentials.find("https://host/x", new TenantContext("acme", "ann"))).isNotNull();
				assertThat(credentials.find("https://host/x", TenantContext.SINGLE)).isNull();
			});
	}

	@Test
	void urlsThatAreNotAllowedAreRejected() {
		this.contextRunner.withPropertyValues("kairo.workspace.git.allowed-urls=https://git.example.org/")
			.run((context) -> assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> acquire(context.getBean(WorkspaceProvider.class)))
				.withMessageContaining("https://git.example.org/"));
	}

	@Test
	void checkoutIsReadOnlyIfConfigured() {
		this.contextRunner.withPropertyValues("kairo.workspace.read-only=true")
			.run((context) -> assertThat(acquire(context.getBean(WorkspaceProvider.class)).writable()).isFalse());
	}

	@Test
	void versionControlToolsAreRegistered() {
		this.contextRunner.run((context) -> assertThat(context.getBean(ToolCatalog.class).definitions())
			.extracting(ToolDefinition::name)
			.contains("Diff", "Commit", "Push"));
	}

	@Test
	void customizerChangesOptionsAfterProperties() {
		this.contextRunner
			.withBean(GitOptionsCustomizer.class, () -> (options) -> options.withClient(GitClientKind.JGIT))
			.withPropertyValues("kairo.workspace.git.client=auto")
			.run((context) -> assertThat(
					context.getBean("kairoGitWorkspaceProvider", GitWorkspaceProvider.class).client())
				.startsWith("jgit"));
	}

	@Test
	void healthReportsClient() {
		this.contextRunner.withPropertyValues("kairo.workspace.git.client=jgit")
			.run((context) -> assertThat(context.getBean("kairoGitHealthIndicator", HealthIndicator.class)
				.health()
				.getDetails()
				.get("client")).asString().startsWith("jgit"));
	}

	@Test
	void gitIsDisabledByProperty() {
		this.contextRunner.withPropertyValues("kairo.workspace.git.enabled=false").run((context) -> {
			assertUnknown(context.getBean(WorkspaceProvider.class));
			assertThat(context.getBean(ToolCatalog.class).definitions()).extracting(ToolDefinition::name)
				.doesNotContain("Diff", "Commit", "Push");
		});
	}

	private void assertUnknown(WorkspaceProvider provider) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(provider))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.UNKNOWN_PROVIDER));
	}

	@Test
	void registrationOfSameNameReplacesTheDefault() {
		InMemoryWorkspaceProvider own = new InMemoryWorkspaceProvider();
		this.contextRunner
			.withBean("kairoGitWorkspaces", WorkspaceProviderRegistration.class,
					() -> new WorkspaceProviderRegistration("git", own, own))
			.run((context) -> assertThat(context).hasSingleBean(RoutingWorkspaceProvider.class)
				.doesNotHaveBean(GitWorkspaceProvider.class));
	}

	@Test
	void providerOfTheApplicationReplacesAllRegistrations() {
		this.contextRunner
			.withBean(WorkspaceProvider.class, () -> new ReadOnlyWorkspaceProvider(new InMemoryWorkspaceProvider()))
			.run((context) -> assertThat(context).doesNotHaveBean(GitWorkspaceProvider.class));
	}

	@ParameterizedTest
	@CsvSource({ "allowed-urls, ext::sh, allowed-urls", "timeout, 0, it must be above zero$",
			"depth, -1, it must be above zero", "max-store-size, 0, it must be above zero$",
			"max-diff-size, 2GB, it must be above zero and below 2GB", "fetch-after, -1s, it must not be below zero" })
	void invalidValueFailsStartup(String property, String value, String reason) {
		this.contextRunner.withPropertyValues("kairo.workspace.git." + property + "=" + value)
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.rootCause()
				.message()
				.contains(property)
				.containsPattern(reason));
	}

	@Test
	void unusableDirectoryIsAnalyzed() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		this.contextRunner.withPropertyValues("kairo.workspace.git.directory=" + file.resolve("git")).run((context) -> {
			assertThat(context).hasFailed();
			FailureAnalysis analysis = new WorkspaceFailureAnalyzer().analyze(context.getStartupFailure());
			assertThat(analysis).isNotNull();
			assertThat(analysis.getDescription()).contains("Git workspaces", file.toString());
			assertThat(analysis.getAction()).contains("kairo.workspace.git");
		});
	}

}
