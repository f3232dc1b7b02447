package io.kairo.autoconfigure.health;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.util.unit.DataSize;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WorkspaceHealthIndicator} with directories in different states.
 */
class WorkspaceHealthIndicatorTests {

	private static final DataSize MINIMUM = DataSize.ofBytes(100);

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource({ "true, 100, UP", "true, 99, DOWN", "false, 100, DOWN", "false, 0, DOWN" })
	void writableWorkspaceNeedsAccessAndFreeSpace(boolean writable, long freeBytes, String status) {
		Health health = health(new LocalDirectoryWorkspaceProvider(this.directory),
				new DirectoryState(true, writable, freeBytes));
		assertThat(health.getStatus()).isEqualTo(new Status(status));
		assertThat(health.getDetails()).containsEntry("writable", writable).containsEntry("freeBytes", freeBytes);
		assertThat(health.getDetails().containsKey("problem")).isEqualTo(status.equals("DOWN"));
	}

	@Test
	void readOnlyWorkspaceNeedsNeitherAccessNorFreeSpace() {
		Health health = health(new LocalDirectoryWorkspaceProvider(this.directory).readOnly(),
				new DirectoryState(true, false, 0));
		assertThat(health.getStatus()).isEqualTo(Status.UP);
		assertThat(health.getDetails()).containsEntry("writable", false).doesNotContainKey("problem");
	}

	@Test
	void readOnlyWorkspaceMustExist() {
		Health health = health(new LocalDirectoryWorkspaceProvider(this.directory).readOnly(),
				new DirectoryState(false, false, 0));
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails()).containsKeys("missing", "problem");
	}

	@Test
	void directoryStateReflectsDirectory() {
		assertThat(DirectoryState.of(this.directory)).extracting(DirectoryState::there, DirectoryState::writable)
			.containsExactly(true, true);
		assertThat(DirectoryState.of(this.directory).freeBytes()).isPositive();
		assertThat(DirectoryState.of(this.directory.resolve("gone"))).isEqualTo(new DirectoryState(false, false, 0));
	}

	private Health health(WorkspaceProvider provider, DirectoryState state) {
		return new WorkspaceHealthIndicator(provider, TenantContext.SINGLE, null, this.directory, this.directory, true,
				MINIMUM, (path) -> state, (workspace) -> Map.of("trials", true))
			.health(true);
	}

}
