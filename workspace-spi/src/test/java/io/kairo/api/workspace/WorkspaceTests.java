package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.Map;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link Workspace}.
 */
class WorkspaceTests {

	@Nested
	class CurrentDirectory {

		private final Workspace workspace = Workspace.cwd();

		@Test
		void cwdHasTheNormalizedCurrentDirectoryAsRoot() {
			assertThat(this.workspace.root()).isEqualTo(Path.of("").toAbsolutePath().normalize())
				.isAbsolute()
				.isNormalized();
		}

		@Test
		void cwdHasTheRootInItsId() {
			assertThat(this.workspace.id()).isEqualTo("local:" + this.workspace.root());
		}

		@Test
		void cwdIsLocalWithoutMetadata() {
			assertThat(this.workspace.kind()).isEqualTo(WorkspaceKind.LOCAL);
			assertThat(this.workspace.metadata()).isEmpty();
			assertThatThrownBy(() -> this.workspace.metadata().put("a", "b"))
				.isInstanceOf(UnsupportedOperationException.class);
		}

		@Test
		void currentDirectoryWorkspacesAreEqual() {
			assertThat(this.workspace).isEqualTo(Workspace.cwd());
		}

	}

	@Nested
	class Defaults {

		private final Workspace workspace = new FirstGenerationWorkspace();

		@Test
		void rootsDefaultToTheRoot() {
			assertThat(this.workspace.roots()).containsExactly(Path.of("/project"));
		}

		@Test
		void workspaceIsWritableAndOnDiskByDefault() {
			assertThat(this.workspace.writable()).isTrue();
			assertThat(this.workspace.onDisk()).isTrue();
			assertThat(this.workspace.borrowedDirectories()).isEmpty();
		}

	}

	@Nested
	class Kinds {

		@Test
		void newKindsAreAddedAtTheEnd() {
			assertThat(WorkspaceKind.values()).startsWith(WorkspaceKind.LOCAL, WorkspaceKind.REMOTE_GIT,
					WorkspaceKind.EPHEMERAL, WorkspaceKind.TASK, WorkspaceKind.OBJECT_STORE);
		}

	}

	/**
	 * Implements only the methods without a default.
	 */
	private static final class FirstGenerationWorkspace implements Workspace {

		@Override
		public String id() {
			return "first";
		}

		@Override
		public Path root() {
			return Path.of("/project");
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

	}

}
