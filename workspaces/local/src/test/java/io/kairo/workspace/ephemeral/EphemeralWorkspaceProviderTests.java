package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.Tmpfs;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.tree.OwnedTree.CopyBounds;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link EphemeralWorkspaceProvider}.
 */
class EphemeralWorkspaceProviderTests {

	@TempDir
	Path temp;

	private Path directory;

	private Path seeds;

	private EphemeralOptions options;

	private EphemeralWorkspaceProvider provider;

	@BeforeEach
	void prepare() throws IOException {
		this.directory = this.temp.resolve("state/made");
		this.seeds = Files.createDirectories(this.temp.resolve("seeds"));
		file("one/a.txt", "alpha");
		file("one/dir/b.txt", "beta");
		this.options = EphemeralOptions.in(this.directory)
			.withSeeds(List.of(RootTemplate.parse(this.seeds.toString())));
		this.provider = new EphemeralWorkspaceProvider(this.options);
	}

	@AfterEach
	void close() {
		this.provider.close();
	}

	private Path file(String path, String text) throws IOException {
		Path file = this.seeds.resolve(path);
		Files.createDirectories(file.getParent());
		return Files.writeString(file, text);
	}

	private Workspace acquire(String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	private Workspace acquire(String hint, String tenant) {
		return this.provider.acquire(new WorkspaceRequest(hint, new TenantContext(tenant, "ann"), true));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withStateDirectory(this.temp.resolve("state")))
			.open(workspace);
	}

	private WorkspaceErrorCode refusal(String hint) {
		try {
			throw new AssertionError(acquire(hint).id());
		}
		catch (WorkspacePathException ex) {
			return ex.code();
		}
		catch (WorkspaceException ex) {
			return ex.code();
		}
	}

	private List<Path> made() throws IOException {
		try (Stream<Path> entries = Files.list(this.directory)) {
			return entries.filter((entry) -> !entry.toString().endsWith(".claim")).toList();
		}
	}

	@Test
	void workspaceExistsUntilItIsReleased() throws IOException {
		Workspace workspace = acquire("ephemeral:");
		assertThat(workspace.kind()).isEqualTo(WorkspaceKind.EPHEMERAL);
		assertThat(workspace.id()).startsWith("ephemeral:");
		assertThat(workspace.root()).isEmptyDirectory().hasParent(this.directory);
		assertThat(workspace.metadata()).isEmpty();
		Files.writeString(workspace.root().resolve("file"), "x");
		acquire(null);
		assertThat(workspace.root().resolve("file")).hasContent("x");
		this.provider.release(workspace.id());
		assertThat(workspace.root()).doesNotExist();
		assertThat(made()).hasSize(1);
	}

	@Test
	void noDirectoryIsCreatedBeforeTheFirstAcquire() {
		this.provider.release("ephemeral:unknown");
		this.provider.sweep();
		assertThat(this.directory).doesNotExist();
	}

	@Test
	void workspaceIsAccessibleByItsOwnerOnly() throws IOException {
		Workspace workspace = acquire(null);
		for (Path path : List.of(workspace.root(), this.directory)) {
			assertThat(Files.getPosixFilePermissions(path)).allMatch((each) -> each.name().startsWith("OWNER"));
		}
	}

	@Test
	void filesWorkInsideTheHiddenStateDirectory() {
		WorkspaceFiles files = files(acquire("one"));
		assertThat(files.tryReadFile("a.txt").value().content()).isEqualTo("alpha");
		assertThat(files.tryWriteFile("dir/new.txt", "x").isOk()).isTrue();
		assertThat(files.list(files.root(), 5).value().entries()).hasSize(4);
	}

	@Test
	void readOnlyWorkspaceRefusesChanges() {
		Workspace workspace = this.provider.acquire(WorkspaceRequest.readOnly("one"));
		assertThat(workspace.writable()).isFalse();
		assertThat(files(workspace).tryWriteFile("a.txt", "x")).isInstanceOfSatisfying(WorkspaceResult.Failure.class,
				(failure) -> assertThat(failure.code()).isEqualTo(WorkspaceErrorCode.READ_ONLY));
	}

	@Test
	void closeRemovesUnreleasedWorkspaces() throws IOException {
		Workspace workspace = acquire("one");
		this.provider.close();
		assertThat(workspace.root()).doesNotExist();
		assertThat(this.directory).isEmptyDirectory();
		assertThat(acquire("one").root()).isDirectory();
	}

	@Nested
	class FromASeed {

		@Test
		void acquireCopiesTheSeedAndKeepsIt() throws IOException {
			Workspace workspace = acquire("ephemeral:one");
			assertThat(workspace.root().resolve("dir/b.txt")).hasContent("beta");
			assertThat(workspace.metadata()).containsEntry("ephemeral.seed", "one")
				.containsEntry("ephemeral.seed.files", "3")
				.containsEntry("ephemeral.seed.bytes", "9")
				.containsEntry("ephemeral.seed.skipped", "0")
				.containsKey("ephemeral.seed.copy");
			Files.writeString(workspace.root().resolve("a.txt"), "changed");
			provider.release(workspace.id());
			assertThat(seeds.resolve("one/a.txt")).hasContent("alpha");
		}

		@Test
		void seedMayBeNamedByAbsolutePath() {
			assertThat(acquire("ephemeral:" + seeds.resolve("one")).metadata()).containsEntry("ephemeral.seed", "one");
		}

		@Test
		void firstDirectoryWithTheSeedIsUsed() throws IOException {
			Path more = Files.createDirectories(temp.resolve("more"));
			Files.createDirectories(more.resolve("two"));
			provider = new EphemeralWorkspaceProvider(options
				.withSeeds(List.of(RootTemplate.parse(seeds.toString()), RootTemplate.parse(more.toString()))));
			assertThat(acquire("two").root()).isEmptyDirectory();
			assertThat(acquire("one").root()).isNotEmptyDirectory();
			assertThat(refusal("three")).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND);
		}

		@Test
		void hintsAreRefusedWithoutSeeds() {
			provider = new EphemeralWorkspaceProvider(EphemeralOptions.in(directory));
			assertThat(refusal("one")).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(refusal(seeds.toString())).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			assertThat(acquire(" ").root()).isEmptyDirectory();
		}

		@ParameterizedTest
		@CsvSource({ "3, 9, true", "2, 9, false", "3, 8, false" })
		void seedAboveTheBoundsIsRefusedAndRemoved(long files, long bytes, boolean fits) throws IOException {
			provider = new EphemeralWorkspaceProvider(options.withBounds(new CopyBounds(files, bytes)));
			if (fits) {
				assertThat(acquire("one").root()).isNotEmptyDirectory();
				return;
			}
			assertThat(refusal("one")).isEqualTo(WorkspaceErrorCode.TOO_LARGE);
			assertThat(made()).isEmpty();
		}

		@Test
		void fullDiskIsReportedAndTheCopyRemoved() throws Exception {
			try (Tmpfs disk = Tmpfs.mount(temp.resolve("disk"), "256k")) {
				file("large/file", "x".repeat(1 << 20));
				provider = new EphemeralWorkspaceProvider(
						new EphemeralOptions(disk.path().resolve("made"), options.seeds(), EphemeralOptions.BOUNDS));
				assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire("large"))
					.withMessageContaining("disk is full")
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WRITE_FAILED));
				directory = disk.path().resolve("made");
				assertThat(made()).isEmpty();
				assertThat(acquire("one").root()).isNotEmptyDirectory();
				provider.close();
			}
		}

		@Test
		void directoryThatCannotBeCreatedIsReported() throws IOException {
			provider = new EphemeralWorkspaceProvider(EphemeralOptions.in(file("file", "x")));
			assertThat(refusal(null)).isEqualTo(WorkspaceErrorCode.WRITE_FAILED);
		}

	}

	@Nested
	class Tenants {

		@BeforeEach
		void divideSeeds() throws IOException {
			file("acme/private/secret", "x");
			Files.createDirectories(seeds.resolve("globex"));
			provider = new EphemeralWorkspaceProvider(
					options.withSeeds(List.of(RootTemplate.parse(seeds + "/{tenant}"))));
		}

		@Test
		void eachTenantHasItsOwnSeeds() {
			assertThat(acquire("private", "acme").root().resolve("secret")).hasContent("x");
		}

		@ParameterizedTest
		@CsvSource({ "../acme/private, globex", "/acme/private, globex", "../acme/private, nobody", "private, nobody" })
		void seedsOfOtherTenantsAreRefused(String hint, String tenant) {
			String path = hint.startsWith("/") ? seeds + hint : hint;
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(path, tenant))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED));
			assertThat(seeds.resolve("nobody")).doesNotExist();
		}

		@Test
		void linksToSeedsOfOtherTenantsAreRefused() throws IOException {
			Files.createSymbolicLink(seeds.resolve("globex/link"), Path.of("../acme/private"));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire("link", "globex"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED));
		}

		@Test
		void tenantsNeverShareAWorkspace() {
			Workspace first = acquire("private", "acme");
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> acquire(first.root().toString(), "globex"));
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(first.id(), "globex"));
		}

		@Test
		void overlappingDirectoriesOfSeedsAreRefused() {
			for (List<String> overlapping : List.of(List.of(seeds + "/{tenant}", seeds + "/acme"),
					List.of(directory.toString()), List.of(directory + "/below"), List.of(temp.toString()))) {
				assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> new EphemeralWorkspaceProvider(
							options.withSeeds(overlapping.stream().map(RootTemplate::parse).toList())))
					.as("%s", overlapping);
			}
		}

	}

}
