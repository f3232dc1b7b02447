package io.kairo.workspace.routing;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceProviderRegistration;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RoutingWorkspaceProvider}: which provider a hint leads to, and whose
 * files a workspace has.
 */
class RoutingWorkspaceProviderTests {

	@TempDir
	Path directory;

	private final RouterFixture fixture = new RouterFixture();

	@Nested
	class Hints {

		@Test
		void hintWithSchemeSelectsItsProvider() {
			RoutingWorkspaceProvider router = router();
			Workspace notes = router.acquire(WorkspaceRequest.writable("memory:notes"));
			assertThat(notes.id()).isEqualTo("memory:notes");
			assertThat(router.acquire(WorkspaceRequest.writable("memory:")).kind()).isEqualTo(WorkspaceKind.EPHEMERAL);
		}

		@ParameterizedTest
		@ValueSource(strings = { "", " ", ".", "./a:b/..", "local:." })
		void hintWithoutSchemeSelectsDefaultProvider(String hint) {
			assertThat(router().acquire(WorkspaceRequest.writable(hint)).root())
				.isEqualTo(RoutingWorkspaceProviderTests.this.directory);
		}

		@Test
		void singleLetterBeforeColonIsADrive() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> router().acquire(WorkspaceRequest.writable("C:\\work")))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.FILE_NOT_FOUND));
		}

		@Test
		void unknownSchemeIsRejectedWithKnownSchemes() {
			assertThatExceptionOfType(WorkspacePathException.class)
				.isThrownBy(() -> router().acquire(WorkspaceRequest.writable("svn:trunk")))
				.withMessageContainingAll("svn:trunk", "local, memory")
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.UNKNOWN_PROVIDER));
		}

	}

	@Nested
	class Files {

		@Test
		void filesAreOpenedByProviderOfTheWorkspace() {
			RoutingWorkspaceProvider router = router();
			Workspace notes = router.acquire(WorkspaceRequest.writable("memory:notes"));
			assertThat(router.files().open(notes).tryWriteFile("a", "x").isOk()).isTrue();
			assertThat(RoutingWorkspaceProviderTests.this.directory.resolve("a")).doesNotExist();
			router.files().open(router.acquire(WorkspaceRequest.writable(null))).tryWriteFile("b", "y");
			assertThat(RoutingWorkspaceProviderTests.this.directory.resolve("b")).hasContent("y");
		}

		@Test
		void filesAreNotOpenedForUnknownOrReleasedWorkspace() {
			RoutingWorkspaceProvider router = router();
			Workspace released = router.acquire(WorkspaceRequest.writable(null));
			router.release(released.id());
			for (Workspace workspace : List.of(Workspace.cwd(), released)) {
				assertThatExceptionOfType(WorkspaceException.class).isThrownBy(() -> router.files().open(workspace))
					.satisfies((ex) -> assertThat(ex.code()).isEqualTo(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED));
			}
		}

	}

	@Nested
	class Registrations {

		@Test
		void duplicateSchemeIsRejected() {
			assertThatExceptionOfType(DuplicateSchemeException.class)
				.isThrownBy(() -> router("local", registration("memory"), registration("memory")))
				.withMessageContaining("memory:")
				.satisfies((ex) -> assertThat(ex.scheme()).isEqualTo("memory"));
		}

		@Test
		void missingDefaultSchemeIsRejected() {
			assertThatIllegalArgumentException().isThrownBy(() -> router("git", registration("mem")))
				.withMessageContainingAll("git", "mem");
		}

		@Test
		void sameIdOfTwoProvidersIsRejected() {
			RoutingWorkspaceProvider router = router("one", registration("one"), registration("two"));
			router.acquire(WorkspaceRequest.writable("x"));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("two:x")))
				.withMessageContainingAll("'one'", "'two'");
		}

		@Test
		void rejectedWorkspaceWithSameIdIsReleased() {
			StrictProvider one = new StrictProvider();
			StrictProvider two = new StrictProvider();
			RoutingWorkspaceProvider router = router("one", registration("one", one), registration("two", two));
			Workspace kept = router.acquire(WorkspaceRequest.writable("x"));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("two:x")));
			assertThat(two.live()).isEmpty();
			assertThat(one.isLive(kept)).isTrue();
			router.release(kept.id());
			assertThat(one.live()).isEmpty();
		}

		@Test
		void providerThatReturnsNoWorkspaceIsNamed() {
			RoutingWorkspaceProvider router = router("none", registration("none", new StrictProvider() {

				@Override
				public Workspace acquire(WorkspaceRequest request) {
					return null;
				}

			}));
			assertThatExceptionOfType(WorkspaceException.class)
				.isThrownBy(() -> router.acquire(WorkspaceRequest.writable("x")))
				.withMessageContaining("'none' returned no workspace");
		}

	}

	private RoutingWorkspaceProvider router() {
		return router("local",
				new WorkspaceProviderRegistration("local", new LocalDirectoryWorkspaceProvider(this.directory),
						new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS)));
	}

	private RoutingWorkspaceProvider router(String defaultScheme, WorkspaceProviderRegistration... registrations) {
		return this.fixture.router(defaultScheme, registrations);
	}

	private WorkspaceProviderRegistration registration(String scheme) {
		return this.fixture.registration(scheme);
	}

	private WorkspaceProviderRegistration registration(String scheme, WorkspaceProvider provider) {
		return this.fixture.registration(scheme, provider);
	}

}
