package io.kairo.workspace.s3;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests of keys that cannot be paths, and of the boundary of a prefix.
 */
@Timeout(60)
class KeyTests {

	@TempDir
	Path directory;

	private FakeStore store;

	private S3WorkspaceProvider provider;

	@BeforeEach
	void open() throws IOException {
		this.store = new FakeStore();
		this.provider = this.store.provider(this.directory.resolve("s3"), "bucket/{tenant}");
	}

	@AfterEach
	void close() {
		this.provider.close();
		this.store.close();
	}

	private Workspace acquire(String tenant, String prefix) {
		return this.provider
			.acquire(new WorkspaceRequest("s3://bucket/" + prefix, new TenantContext(tenant, "ann"), true));
	}

	private WorkspaceFiles files(Workspace workspace) {
		return this.provider.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)).open(workspace);
	}

	@Test
	void keysThatAreNoPathsAreReportedAndNotMapped() {
		this.store.put("acme/good.txt", "good");
		for (String key : List.of("../up.txt", "a/../b.txt", "a//b.txt", "/c.txt", "d/", "e/./f.txt", "g\\h.txt",
				"i\u0001j.txt", "k".repeat(300), "l", "l/m.txt", "n/..", ".kairo-0123456789abcdef0123456789abcdef", " ",
				"o\n.txt")) {
			this.store.put("acme/" + key, "content of " + key);
		}
		Workspace workspace = acquire("acme", "acme");
		assertThat(files(workspace).getFilePaths().value()).containsExactly("good.txt", "l/m.txt");
		assertThat(files(workspace).tryReadFile("l/m.txt").value().content()).isEqualTo("content of l/m.txt");
		assertThat(this.provider.unusable(workspace.id())).extracting(UnusableKey::key)
			.contains("../up.txt", "a/../b.txt", "a//b.txt", "/c.txt", "d/", "e/./f.txt", "g\\h.txt", "i\u0001j.txt",
					"k".repeat(300), "l", "n/..", ".kairo-0123456789abcdef0123456789abcdef", " ", "o\n.txt");
		assertThat(this.provider.unusable(workspace.id())).allMatch((key) -> !key.reason().isBlank());
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().changes()).isEmpty();
		assertThat(this.store.objects()).hasSize(16);
	}

	@Test
	void keysThatAreNoPathsAreReportedByListingsOfDirectories() {
		this.store.put("acme/a//b.txt", "x");
		this.store.put("acme/a/", "");
		this.store.put("acme/a/c.txt", "c");
		Workspace workspace = acquire("acme", "acme");
		assertThat(files(workspace).listDirectory("a", 1).value().entries()).extracting((entry) -> entry.path().name())
			.containsExactly("c.txt");
		assertThat(this.provider.unusable(workspace.id())).extracting(UnusableKey::key).contains("a//", "a/");
	}

	@Test
	void fileWithPathOfObjectAndDirectoryIsConflictAndOverwritesNothing() {
		this.store.put("acme/l", "object");
		this.store.put("acme/l/m.txt", "m");
		Workspace workspace = acquire("acme", "acme");
		files(workspace)
			.apply(new WorkspaceChange.Delete(new WorkspacePath(workspace.root(), "l"), WorkspaceChange.Depth.RECURSIVE,
					null))
			.value();
		files(workspace).tryWriteFile("l", "file").value();
		SyncReport report = Objects.requireNonNull(workspace.sync()).writeBack().value();
		assertThat(report.with(Outcome.CONFLICT)).extracting(SyncReport.Change::path).containsExactly("l");
		assertThat(this.store.objects()).containsEntry("acme/l", "object").doesNotContainKey("acme/l/m.txt");
	}

	@Test
	void pathWhoseKeyIsTooLongIsReported() {
		Workspace workspace = acquire("acme", "acme");
		String path = String.join("/", java.util.Collections.nCopies(6, "x".repeat(200)));
		files(workspace).tryWriteFile(path, "x").value();
		SyncReport report = Objects.requireNonNull(workspace.sync()).writeBack().value();
		assertThat(report.with(Outcome.UNSUPPORTED)).singleElement()
			.satisfies((change) -> assertThat(change.message()).contains("1024"));
		assertThat(this.store.objects()).isEmpty();
	}

	@Test
	void namesThatDifferInCaseAreDifferentFiles() {
		this.store.put("acme/Readme.md", "upper");
		this.store.put("acme/readme.md", "lower");
		WorkspaceFiles files = files(acquire("acme", "acme"));
		if (Files.exists(this.directory.resolve("S3"))) {
			return; // a file system that ignores case
		}
		assertThat(files.tryReadFile("Readme.md").value().content()).isEqualTo("upper");
		assertThat(files.tryReadFile("readme.md").value().content()).isEqualTo("lower");
	}

	@Test
	void pathInAnotherCaseIsFetchedWhereNamesIgnoreCase() {
		this.store.put("acme/Src/Readme.md", "content");
		WorkspaceFiles files = this.provider
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(PathPolicy.LOGICAL)))
			.open(acquire("acme", "acme"));
		assertThat(files.tryReadFile("src/README.md").value().content()).isEqualTo("content");
		assertThat(files.listDirectory("SRC", 1).value().entries()).hasSize(1);
	}

	@Test
	void tenantReachesItsPrefixOnly() {
		this.store.put("acme/a.txt", "a");
		this.store.put("acme2/secret.txt", "secret");
		this.store.put("other/secret.txt", "secret");
		Workspace workspace = acquire("acme", "acme");
		assertThat(files(workspace).getFilePaths().value()).containsExactly("a.txt");
		for (String prefix : List.of("", "acm", "acme2", "other", "acme/../other", "acme//", "{tenant}", "acme/..")) {
			assertThatExceptionOfType(WorkspacePathException.class).as(prefix)
				.isThrownBy(() -> acquire("acme", prefix));
		}
		for (String tenant : List.of("..", ".", "a/b", "acme/", "", "a\\b", "*")) {
			if (!tenant.isEmpty()) {
				assertThatExceptionOfType(WorkspacePathException.class).as(tenant)
					.isThrownBy(() -> acquire(tenant, "acme"));
			}
		}
		files(workspace).tryWriteFile("c.txt", "c").value();
		files(workspace).tryWriteFile("%2e%2e/other/x.txt", "x").value();
		assertThat(Objects.requireNonNull(workspace.sync()).writeBack().value().complete()).isTrue();
		assertThat(this.store.requests())
			.allMatch((request) -> request.matches("[A-Z]+ /bucket/acme/.*")
					|| request.startsWith("GET /bucket?") && request.contains("prefix=acme/"))
			.noneMatch((request) -> request.endsWith(" copy"));
		assertThat(this.store.objects().keySet()).contains("acme/c.txt", "acme/%2e%2e/other/x.txt", "other/secret.txt");
	}

	@Test
	void keysOutsideOfThePrefixInAnAnswerAreRefused() {
		this.store.put("acme/a.txt", "a");
		this.store.put("other/secret.txt", "secret");
		this.store.lie();
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire("acme", "acme"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_UNREACHABLE))
			.withMessageContaining("outside of the prefix");
	}

	@Test
	void fetchDoesNotLeaveTheWorkspaceThroughLink() throws IOException {
		this.store.put("acme/src/a.txt", "remote");
		Path outside = Files.createDirectory(this.directory.resolve("outside"));
		Files.writeString(outside.resolve("a.txt"), "outside");
		Workspace workspace = acquire("acme", "acme");
		WorkspaceFiles files = files(workspace);
		files.listDirectory("src", 1).value();
		Files.move(workspace.root().resolve("src"), workspace.root().resolve("moved"));
		Files.createSymbolicLink(workspace.root().resolve("src"), outside);
		assertThat(files.tryReadFile("src/a.txt").isOk()).isFalse();
		files.tryReadFile("moved/a.txt");
		Objects.requireNonNull(workspace.sync()).materialize();
		Objects.requireNonNull(workspace.sync()).writeBack();
		assertThat(outside).isDirectoryContaining((path) -> path.endsWith("a.txt"));
		assertThat(outside.resolve("a.txt")).hasContent("outside");
		assertThat(this.store.objects().values()).doesNotContain("outside");
	}

	@Test
	void listingThatDoesNotEndIsEndedByTheTimeout() {
		this.store.put("acme/a.txt", "a");
		this.store.neverEnd();
		this.provider.close();
		this.provider = new S3WorkspaceProvider(S3Options.in(this.directory.resolve("s3"), "bucket/{tenant}")
			.endpoint(this.store.endpoint())
			.pathStyle(true)
			.limits(new S3Limits(1000, 1 << 20, 1 << 16, 4, Duration.ofMillis(500)))
			.build(), S3Server.credentials());
		assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> acquire("acme", "acme"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.REMOTE_UNREACHABLE))
			.withMessageContaining("in time");
	}

	@Test
	void tenantsHaveCredentialsOfTheirOwn() {
		List<String> asked = new java.util.concurrent.CopyOnWriteArrayList<>();
		this.provider.close();
		this.provider = new S3WorkspaceProvider(S3Options.in(this.directory.resolve("s3"), "bucket/{tenant}")
			.endpoint(this.store.endpoint())
			.pathStyle(true)
			.build(), (tenant) -> {
				asked.add(tenant.tenantId());
				return S3Server.credentials().find(tenant);
			});
		acquire("acme", "acme");
		assertThat(asked).containsOnly("acme");
		acquire("other", "other");
		assertThat(asked).contains("other");
	}

}
