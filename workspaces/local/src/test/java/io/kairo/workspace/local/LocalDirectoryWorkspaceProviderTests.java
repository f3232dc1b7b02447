package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LocalDirectoryWorkspaceProvider}.
 */
class LocalDirectoryWorkspaceProviderTests {

	@TempDir
	Path temp;

	Path base;

	LocalDirectoryWorkspaceProvider provider;

	@BeforeEach
	void createBase() throws IOException {
		this.temp = this.temp.toRealPath();
		this.base = TestWorkspaces.directory(this.temp.resolve("base"));
		this.provider = new LocalDirectoryWorkspaceProvider(this.base);
	}

	Workspace acquire(String hint) {
		return this.provider.acquire(WorkspaceRequest.writable(hint));
	}

	@Nested
	class Hints {

		@ParameterizedTest
		@NullSource
		@ValueSource(strings = { "", "  ", "." })
		void missingHintDenotesTheBase(String hint) {
			Workspace workspace = acquire(hint);
			assertThat(workspace.root()).isEqualTo(base);
			assertThat(workspace.roots()).containsExactly(workspace.root());
			assertThat(workspace.kind()).isEqualTo(WorkspaceKind.LOCAL);
			assertThat(workspace.metadata()).isEmpty();
			assertThat(workspace.writable()).isTrue();
			assertThat(workspace.onDisk()).isTrue();
		}

		@Test
		void relativeHintIsResolvedAgainstTheBase() throws IOException {
			Path sub = TestWorkspaces.directory(base.resolve("a/b"));
			assertThat(acquire("a/./b").root()).isEqualTo(sub);
			assertThat(acquire("a/b/../b/").root()).isEqualTo(sub);
		}

		@Test
		void absoluteHintIsUsedVerbatim() {
			assertThat(acquire(temp.toString()).root()).isEqualTo(temp);
		}

		@Test
		void relativeBaseBecomesAbsolute() {
			Workspace workspace = new LocalDirectoryWorkspaceProvider(Path.of(""))
				.acquire(WorkspaceRequest.writable(null));
			assertThat(workspace.root()).isEqualTo(Workspace.cwd().root());
			assertThat(workspace.id()).isEqualTo(Workspace.cwd().id());
		}

		@Test
		void messageNamesMissingDirectory() {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire("not-here"))
				.withMessageContaining("not-here")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
		}

		@Test
		void fileIsRefusedAsARoot() throws IOException {
			TestWorkspaces.file(base.resolve("file"), "x");
			for (String hint : new String[] { "file", "file/below" }) {
				assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(hint))
					.withMessageContaining(hint);
			}
		}

		@Test
		void hintThatIsNotAPathIsRefused() {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire("a\0b"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.INVALID_PATH));
		}

	}

	@Nested
	class Identity {

		@Test
		void sameDirectoryReturnsTheSameInstance() throws IOException {
			TestWorkspaces.link(base.resolve("self"), ".");
			assertThat(acquire(null)).isSameAs(acquire("."))
				.isSameAs(acquire(base.toString()))
				.isSameAs(acquire("self"));
		}

		@Test
		void idsContainTenantAndAccess() {
			String root = base.toString();
			assertThat(id("default", true)).isEqualTo("local:" + root);
			assertThat(id("default", false)).isEqualTo("local:" + root + "#ro");
			assertThat(id("acme", true)).isEqualTo("local:" + root + "#acme");
			assertThat(id("acme", false)).isEqualTo("local:" + root + "#acme#ro");
		}

		@Test
		void tenantsWithUnusualNamesHaveDistinctIds() {
			assertThat(id("ro", true)).isNotEqualTo(id("default", false));
			assertThat(id("a#ro", true)).isNotEqualTo(id("a", false));
			assertThat(id("a%23ro", true)).isNotEqualTo(id("a#ro", true));
		}

		@Test
		void tenantsAndAccessDoNotShareInstances() {
			assertThat(acquireAs("default", true)).isNotSameAs(acquireAs("acme", true))
				.isNotSameAs(acquireAs("default", false));
			assertThat(acquireAs("default", false).writable()).isFalse();
		}

		@Test
		void principalsOfOneTenantShareTheInstance() {
			Workspace ann = provider.acquire(new WorkspaceRequest(null, new TenantContext("acme", "ann"), true));
			Workspace bob = provider.acquire(new WorkspaceRequest(null, new TenantContext("acme", "bob"), true));
			assertThat(ann).isSameAs(bob);
		}

		@Test
		void concurrentAcquiresReturnOneInstance() throws Exception {
			int threads = 16;
			Set<Workspace> seen = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
			CountDownLatch start = new CountDownLatch(1);
			ExecutorService executor = Executors.newFixedThreadPool(threads);
			for (int i = 0; i < threads; i++) {
				executor.execute(() -> {
					try {
						start.await();
						for (int j = 0; j < 50; j++) {
							seen.add(acquire(null));
						}
					}
					catch (InterruptedException ex) {
						Thread.currentThread().interrupt();
					}
				});
			}
			start.countDown();
			executor.shutdown();
			assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
			assertThat(seen).hasSize(1);
		}

		private Workspace acquireAs(String tenant, boolean writable) {
			return provider.acquire(new WorkspaceRequest(null, new TenantContext(tenant, "ann"), writable));
		}

		private String id(String tenant, boolean writable) {
			return acquireAs(tenant, writable).id();
		}

	}

	@Nested
	class Release {

		@Test
		void releaseEvictsAndKeepsTheDirectory() {
			Workspace first = acquire(null);
			provider.release(first.id());
			assertThat(first.root()).isDirectory();
			assertThat(acquire(null)).isNotSameAs(first).isEqualTo(first);
		}

		@Test
		void releaseKeepsOtherWorkspaces() {
			Workspace writable = acquire(null);
			provider.release(provider.acquire(WorkspaceRequest.readOnly(null)).id());
			assertThat(acquire(null)).isSameAs(writable);
		}

		@Test
		void releaseOfUnknownIdDoesNothing() {
			Workspace workspace = acquire(null);
			provider.release(null);
			provider.release("local:/nowhere");
			assertThat(acquire(null)).isSameAs(workspace);
		}

	}

	@Test
	void readOnlyProviderReturnsReadOnlyWorkspacesOnly(@TempDir Path directory) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(directory).readOnly()
			.acquire(WorkspaceRequest.writable(null));
		assertThat(workspace.writable()).isFalse();
		assertThat(workspace.id()).endsWith("#ro");
	}

	@Test
	void directoriesWithEscapedLookingNamesHaveDistinctIds(@TempDir Path directory) throws IOException {
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(directory);
		TestWorkspaces.directory(directory.resolve("a#b"));
		TestWorkspaces.directory(directory.resolve("a%23b"));
		assertThat(provider.acquire(WorkspaceRequest.writable("a#b")).id())
			.isNotEqualTo(provider.acquire(WorkspaceRequest.writable("a%23b")).id());
	}

	@Nested
	class AddedDirectories {

		@Test
		void addedDirectoriesFollowThePrimaryRootWithoutDuplicates() throws IOException {
			Path added = TestWorkspaces.directory(temp.resolve("added"));
			Path alias = TestWorkspaces.link(temp.resolve("alias"), base);
			Path again = TestWorkspaces.link(temp.resolve("again"), added);
			LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(base,
					List.of(added, alias, again));
			assertThat(provider.acquire(WorkspaceRequest.writable(null)).roots()).containsExactly(base, added);
			assertThat(provider.acquire(WorkspaceRequest.writable(alias.toString())).roots()).first().isEqualTo(base);
			assertThat(provider.acquire(WorkspaceRequest.writable(added.toString())).roots()).containsExactly(added,
					base);
		}

		@Test
		void addedDirectoriesMustExist() throws IOException {
			Path file = TestWorkspaces.file(temp.resolve("file"), "x");
			for (Path bad : List.of(file, temp.resolve("missing"))) {
				assertThatExceptionOfType(WorkspacePathException.class)
					.isThrownBy(() -> new LocalDirectoryWorkspaceProvider(base, List.of(bad)))
					.withMessageContaining(bad.toString());
			}
		}

	}

}
