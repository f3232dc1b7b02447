package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link LocalDirectoryWorkspaceProvider} with roots of tenants.
 */
class TenantRootsTests {

	@TempDir
	Path temp;

	Path agents;

	@BeforeEach
	void createBase() throws IOException {
		this.temp = this.temp.toRealPath();
		this.agents = TestWorkspaces.directory(this.temp.resolve("agents"));
	}

	@Test
	void eachTenantHasAPrivateDirectory() throws IOException {
		LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
		Workspace acme = acquire(provider, "acme", null);
		assertThat(acme.root()).isEqualTo(this.agents.resolve("acme")).isDirectory();
		assertThat(acme.id()).isEqualTo("local:" + acme.root() + "#acme");
		assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(acme.root()))).isEqualTo("rwx------");
		assertThat(acquire(provider, "globex", null).root()).isEqualTo(this.agents.resolve("globex"));
		assertThat(acquire(provider, "default", null).root()).isEqualTo(this.agents.resolve("default"));
	}

	@Test
	void sameTenantGetsTheSameWorkspaceUntilItIsReleased() {
		LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
		Workspace first = acquire(provider, "acme", null);
		assertThat(acquire(provider, "acme", ".")).isSameAs(first);
		provider.release(first.id());
		assertThat(acquire(provider, "acme", null)).isNotSameAs(first);
	}

	@Test
	void namesBelowTheTenantAreCreatedToo() {
		Workspace acme = acquire(provider("agents/{tenant}/files/tree"), "acme", null);
		assertThat(acme.root()).isEqualTo(this.agents.resolve("acme/files/tree")).isDirectory();
	}

	@Test
	void existingDirectoryIsKept() throws IOException {
		TestWorkspaces.file(TestWorkspaces.directory(this.agents.resolve("acme")).resolve("note"), "kept");
		assertThat(acquire(provider("agents/{tenant}"), "acme", null).root().resolve("note")).hasContent("kept");
	}

	@Test
	void directoryOfAllTenantsIsNotCreated() {
		assertRefused(() -> acquire(provider("missing/{tenant}"), "acme", null), WorkspaceErrorCode.FILE_NOT_FOUND);
		assertThat(this.temp.resolve("missing")).doesNotExist();
	}

	@Test
	void concurrentAcquiresCreateOneDirectory() {
		LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}/work");
		Set<Workspace> acquired = ConcurrentHashMap.newKeySet();
		IntStream.range(0, 64).parallel().forEach((i) -> acquired.add(acquire(provider, "acme", null)));
		assertThat(acquired).hasSize(1);
	}

	@Test
	void rootWithoutTenantSegmentIsForTheDefaultTenantOnly() {
		LocalDirectoryWorkspaceProvider provider = new LocalDirectoryWorkspaceProvider(
				List.of(RootTemplate.parse(this.agents.toString())), "house");
		assertThat(acquire(provider, "house", null).root()).isEqualTo(this.agents);
		for (String tenant : List.of("acme", "default")) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> acquire(provider, tenant, null))
				.withMessageContainingAll("'" + tenant + "'", "{tenant}")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED));
			assertRefused(() -> acquire(provider, tenant, this.temp.toString()),
					WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED);
		}
	}

	@Test
	void addedDirectoriesWithoutTenantSegmentAreShared() throws IOException {
		Path shared = TestWorkspaces.directory(this.temp.resolve("shared"));
		TestWorkspaces.directory(this.temp.resolve("caches"));
		LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}", "shared", "caches/{tenant}");
		assertThat(acquire(provider, "acme", null).roots()).containsExactly(this.agents.resolve("acme"), shared,
				this.temp.resolve("caches/acme"));
		assertThat(acquire(provider, "globex", null).roots()).doesNotContain(this.temp.resolve("caches/acme"));
	}

	@Nested
	class OneTenant {

		@ParameterizedTest
		@ValueSource(strings = { "../globex", "..", "/", "sub/../../globex" })
		void hintsCannotLeaveTheDirectoryOfTheTenant(String hint) {
			LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
			acquire(provider, "globex", null);
			assertRefused(() -> acquire(provider, "acme", hint), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void refusalDoesNotRevealWhetherADirectoryOutsideExists() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
			acquire(provider, "globex", null);
			Path own = acquire(provider, "acme", null).root();
			TestWorkspaces.file(temp.resolve("file"), "x");
			TestWorkspaces.link(own.resolve("there"), "../globex");
			TestWorkspaces.link(own.resolve("file"), temp.resolve("file"));
			TestWorkspaces.link(own.resolve("nowhere"), "../missing");
			for (String hint : List.of("../globex", "../missing", "../globex/missing", temp.toString(),
					temp.resolve("file").toString(), temp.resolve("missing/below").toString(), "there", "there/missing",
					"file", "file/below", "nowhere", "nowhere/below")) {
				assertThatExceptionOfType(WorkspacePathException.class).as(hint)
					.isThrownBy(() -> acquire(provider, "acme", hint))
					.withMessage(
							"The hint '" + hint + "' leads out of the directory of the tenant: give a path below it")
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED));
			}
			assertRefused(() -> acquire(provider, "acme", "missing"), WorkspaceErrorCode.FILE_NOT_FOUND);
			TestWorkspaces.file(own.resolve("own-file"), "x");
			assertRefused(() -> acquire(provider, "acme", "own-file"), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

		@Test
		void linksToDirectoriesOfOtherTenantsAreRefused() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
			acquire(provider, "globex", null);
			TestWorkspaces.link(acquire(provider, "acme", null).root().resolve("door"), "../globex");
			assertRefused(() -> acquire(provider, "acme", "door"), WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}

		@Test
		void hintMayDenoteASubdirectory() throws IOException {
			LocalDirectoryWorkspaceProvider provider = provider("agents/{tenant}");
			Path sub = TestWorkspaces.directory(acquire(provider, "acme", null).root().resolve("sub"));
			assertThat(acquire(provider, "acme", "sub").root()).isEqualTo(sub);
			assertThat(acquire(provider, "acme", "local:sub").root()).isEqualTo(sub);
		}

		@ParameterizedTest
		@ValueSource(strings = { "agents/{tenant}", "agents/{tenant}/work" })
		void linkAsDirectoryOfATenantIsRefused(String template) throws IOException {
			Path globex = TestWorkspaces.directory(TenantRootsTests.this.agents.resolve("globex"));
			Path place = TenantRootsTests.this.agents.resolve(template.endsWith("work") ? "acme/work" : "acme");
			TestWorkspaces.directory(place.getParent());
			TestWorkspaces.link(place, globex.toString());
			assertRefused(() -> acquire(provider(template), "acme", null), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

		@Test
		void fileAsDirectoryOfATenantIsRefused() throws IOException {
			TestWorkspaces.file(TenantRootsTests.this.agents.resolve("acme"), "x");
			assertRefused(() -> acquire(provider("agents/{tenant}"), "acme", null), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}

	}

	@Nested
	class Ids {

		@ParameterizedTest
		@MethodSource("io.kairo.workspace.local.TenantRootsTests#unsafeIds")
		void idsThatCannotBeNamesAreRefusedWithoutSideEffects(String tenant) {
			assertRefused(() -> acquire(provider("agents/{tenant}"), tenant, null), WorkspaceErrorCode.INVALID_PATH);
			assertThat(TenantRootsTests.this.agents).isEmptyDirectory();
		}

		@ParameterizedTest
		@ValueSource(strings = { "ann@example.com", "a", "A-1_b.c", "7", "Ann Lee", "v1..2", "con1" })
		void commonIdsAreAcceptedAsNames(String tenant) {
			assertThat(acquire(provider("agents/{tenant}"), tenant, null).root().getFileName()).hasToString(tenant);
		}

	}

	static Stream<String> unsafeIds() {
		return Stream.of("..", ".", "../globex", "a/b", "a\\b", "/etc", "a\0b", "a\nb", ".hidden", "a.", "a ", " a",
				"-rf", "a:b", "c:", "~", "CON", "nul.txt", "a*", "{tenant}", "x".repeat(201), "e\u0301", "\u202Eabc",
				"a%2e");
	}

	@Nested
	class Templates {

		@ParameterizedTest
		@ValueSource(strings = { "a/{tenants}", "a/x{tenant}", "{tenant}/{tenant}", "a/{", "a/}b", "a/{TENANT}" })
		void templatesWithOtherBracesAreRefused(String template) {
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> RootTemplate.parse(template))
				.withMessageContainingAll(template, "{tenant}");
		}

		@ParameterizedTest
		@CsvSource({ "agents/{tenant}, agents", "agents/{tenant}, .", "agents/{tenant}, agents/lib",
				"agents/{tenant}, {tenant}/work", "agents/{tenant}, agents/lib/{tenant}", "agents, agents/{tenant}",
				"agents/{tenant}, link" })
		void overlappingTemplatesAreRefused(String first, String second) throws IOException {
			TestWorkspaces.link(TenantRootsTests.this.temp.resolve("link"), "agents");
			assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(() -> provider(first, second))
				.withMessageContainingAll(first, second, "overlap");
		}

		@Test
		void templatesWithTheSameBaseAreAccepted() {
			assertThat(acquire(provider("agents/{tenant}/a", "agents/{tenant}/b"), "acme", null).roots())
				.containsExactly(TenantRootsTests.this.agents.resolve("acme/a"),
						TenantRootsTests.this.agents.resolve("acme/b"));
		}

	}

	private LocalDirectoryWorkspaceProvider provider(String... templates) {
		return new LocalDirectoryWorkspaceProvider(
				Stream.of(templates).map((text) -> RootTemplate.parse(this.temp + "/" + text)).toList(), "default");
	}

	private static Workspace acquire(LocalDirectoryWorkspaceProvider provider, String tenant, String hint) {
		return provider.acquire(new WorkspaceRequest(hint, new TenantContext(tenant, "ann"), true));
	}

	private static void assertRefused(ThrowingCallable call, WorkspaceErrorCode code) {
		assertThatExceptionOfType(WorkspacePathException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(code));
	}

}
