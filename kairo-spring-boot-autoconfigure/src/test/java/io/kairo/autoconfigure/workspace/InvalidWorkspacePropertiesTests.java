package io.kairo.autoconfigure.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the failures that report invalid {@link WorkspaceProperties}.
 */
class InvalidWorkspacePropertiesTests {

	@TempDir
	Path directory;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(KairoWorkspaceAutoConfiguration.class));

	@Test
	void missingRootIsReportedWithPropertyAndRemedy() {
		Path missing = this.directory.resolve("missing");
		assertFailure("kairo.workspace.roots=" + missing, "kairo.workspace.roots", missing.toString(),
				"there is no such directory");
	}

	@Test
	void rootThatIsAFileIsReported() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertFailure("kairo.workspace.roots=" + file, file.toString(), "not a directory");
	}

	@Test
	void missingAddedDirectoryIsReported() {
		assertFailure("kairo.workspace.add-dirs=/does/not/exist", "kairo.workspace.add-dirs", "/does/not/exist");
	}

	@ParameterizedTest
	@ValueSource(strings = { "logical", "relative-only" })
	void addedDirectoriesNeedPolicyWithHostPaths(String policy) {
		assertFailure(List.of("kairo.workspace.path-policy=" + policy, "kairo.workspace.add-dirs=" + this.directory),
				"kairo.workspace.add-dirs", policy);
	}

	@ParameterizedTest
	@ValueSource(strings = { "kairo.workspace.roots= ,", "kairo.workspace.roots=", "kairo.workspace.add-dirs=,." })
	void blankDirectoryIsRejected(String property) {
		assertFailure(property, "kairo.workspace.");
	}

	@Test
	void secondRootNeedsPolicyWithHostPaths() {
		assertFailure(List.of("kairo.workspace.path-policy=logical", "kairo.workspace.roots=.,.."),
				"kairo.workspace.roots", "logical");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/tmp/{user}", "/tmp/x{tenant}", "/tmp/{tenant}/{tenant}" })
	void onlyTenantSegmentCanHaveBraces(String root) {
		assertFailure("kairo.workspace.roots=" + root, "kairo.workspace.roots", root, "{tenant}");
	}

	@Test
	void directoryAboveTenantSegmentMustExist() {
		assertFailure("kairo.workspace.roots=" + this.directory + "/none/{tenant}", "kairo.workspace.roots",
				"above {tenant}");
	}

	@Test
	void addedDirectoryMustNotContainDirectoriesOfTenants() {
		Path above = this.directory.getParent();
		assertFailure(
				List.of("kairo.workspace.roots=" + this.directory + "/{tenant}", "kairo.workspace.add-dirs=" + above),
				"kairo.workspace.roots", "overlaps", above.toString());
	}

	@Test
	void hostPolicyIsRejectedWithTenantSegment() {
		assertFailure(
				List.of("kairo.workspace.roots=" + this.directory + "/{tenant}", "kairo.workspace.path-policy=host"),
				"kairo.workspace.path-policy", "host", "{tenant}");
	}

	@Test
	void unknownProviderIsReportedWithKnownProviders() {
		assertFailure("kairo.workspace.provider=git", "kairo.workspace.provider", "git", "ephemeral", "local",
				"memory");
	}

	@Test
	void stateDirectoryMustNotBeARoot() throws IOException {
		Path file = Files.createFile(this.directory.resolve("file"));
		assertFailure("kairo.state-dir=" + file, "kairo.state-dir", "not a directory");
		assertState(this.directory, this.directory.toString(), "root of the workspace");
	}

	@Test
	void stateDirectoryMustNotOverlapRootsOrDirectoriesOfTenants() throws IOException {
		Path root = Files.createDirectories(this.directory.resolve("around/root"));
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), root);
		assertState(this.directory.resolve("around"), root.toString(), "contains the root");
		assertState(this.directory.resolve("around"), link.toString(), "contains the root");
		assertState(root.resolve("state"), root + "/{tenant}", "among the directories of the tenants");
		assertState(link.resolve("acme/state"), root + "/{tenant}", "among the directories of the tenants");
		assertState(root.resolve("state"), root.toString(), "inside the root " + root);
		assertState(link.resolve("state"), root.toString(), "inside the root " + root);
		assertState(root.resolve("state"), link.toString(), "set kairo.state-dir to a directory outside");
	}

	@Test
	void rootThatContainsEveryDirectoryIsTheProblem() {
		for (String root : List.of("/", "/{tenant}")) {
			assertFailure(List.of("kairo.workspace.roots=" + root), "kairo.workspace.roots", root,
					"no kairo.state-dir can lie outside");
		}
		assertFailure(List.of("kairo.workspace.roots=" + this.directory, "kairo.workspace.add-dirs=/"),
				"set kairo.workspace.add-dirs");
	}

	@Test
	void rootAroundStateDirectoryIsNamedWithItsProperty() {
		Path state = Path.of("target/state").toAbsolutePath();
		assertFailure(List.of("kairo.state-dir=" + state),
				"inside the root . (kairo.workspace.roots, " + Path.of("").toAbsolutePath() + ")",
				"or kairo.workspace.roots to the directory");
	}

	@ParameterizedTest
	@ValueSource(strings = { "ephemeral", "memory" })
	void unusedWorkingDirectoryMayContainStateDirectoryUntilItIsUsed(String provider) {
		Path state = Path.of("target/state").toAbsolutePath();
		this.contextRunner
			.withPropertyValues("kairo.state-dir=" + state, "kairo.workspace.provider=" + provider,
					"kairo.workspace.ephemeral.directory=" + state.resolve("other"))
			.run((context) -> {
				WorkspaceProvider workspaces = context.getBean(WorkspaceProvider.class);
				assertThat(workspaces.acquire(WorkspaceRequest.writable(null)).writable()).isTrue();
				assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> workspaces.acquire(WorkspaceRequest.writable("local:")))
					.withMessageContaining("contains the state of the application");
			});
	}

	@Test
	void rootThatIsConfiguredForAnotherProviderIsChecked() throws IOException {
		Path root = Files.createDirectories(this.directory.resolve("root"));
		assertFailure(List.of("kairo.state-dir=" + root.resolve("state"), "kairo.workspace.roots=" + root,
				"kairo.workspace.provider=ephemeral"), "kairo.state-dir", "inside the root " + root);
	}

	@Test
	void stateDirectoryMustBePrivate() throws IOException {
		Path root = Files.createDirectories(this.directory.resolve("root"));
		Path state = Files.createDirectories(this.directory.resolve("state"));
		Path link = Files.createSymbolicLink(this.directory.resolve("link"), state);
		assertState(link, root.toString(), "symbolic link");
		Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxrwx---"));
		assertState(state, root.toString(), "chmod go-w");
		Files.setPosixFilePermissions(state, PosixFilePermissions.fromString("rwxr-xr-x"));
		this.contextRunner.withPropertyValues("kairo.state-dir=" + state, "kairo.workspace.roots=" + root)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void stateDirectoryMustBeWritableUnlessWorkspaceIsReadOnly() throws IOException {
		Path root = Files.createDirectories(this.directory.resolve("root"));
		Path state = Files.createFile(this.directory.resolve("file")).resolve("home/kairo");
		assertState(state, root.toString(), "cannot be created, as " + state.getParent().getParent());
		this.contextRunner
			.withPropertyValues("kairo.state-dir=" + state, "kairo.workspace.roots=" + root,
					"kairo.workspace.read-only=true")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void unknownPathPolicyFailsStartup() {
		assertFailure("kairo.workspace.path-policy=none", "none");
	}

	private void assertState(Path state, String root, String message) {
		assertFailure(List.of("kairo.state-dir=" + state, "kairo.workspace.roots=" + root), "kairo.state-dir", message);
	}

	private void assertFailure(String property, String... messages) {
		assertFailure(List.of(property), messages);
	}

	private void assertFailure(List<String> properties, String... messages) {
		this.contextRunner.withPropertyValues(properties.toArray(String[]::new))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContainingAll(messages));
	}

}
