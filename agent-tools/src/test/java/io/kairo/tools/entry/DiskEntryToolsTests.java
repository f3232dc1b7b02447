package io.kairo.tools.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.ToolContext;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.quota.QuotaWorkspaceFiles;
import io.kairo.workspace.quota.WorkspaceQuota;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the tools that change entries over files on disk.
 */
class DiskEntryToolsTests extends EntryToolsContract {

	@TempDir
	Path directory;

	@Override
	ToolContext open() {
		return ToolContext.builder(workspace()).build();
	}

	private Workspace workspace() {
		return new LocalDirectoryWorkspaceProvider(this.directory).acquire(WorkspaceRequest.writable(null));
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void linkIsMovedItselfAndCopiedAsItsTarget() throws IOException {
		Files.createSymbolicLink(this.directory.resolve("dangling"), Path.of("nowhere"));
		Files.createSymbolicLink(this.directory.resolve("linked"), Path.of("src"));
		assertThat(call("Move", Map.of("source", "dangling", "destination", "src/d")).error()).isNull();
		assertThat(call("Move", Map.of("source", "linked", "destination", "l")).text())
			.isEqualTo("Moved 'linked' to 'l'.");
		assertThat(Files.readSymbolicLink(this.directory.resolve("src/d"))).hasToString("nowhere");
		assertThat(Files.isSymbolicLink(this.directory.resolve("l"))).isTrue();
		assertThat(call("Copy", Map.of("source", "l", "destination", "c", "recursive", true)).data())
			.containsEntry("files", 2L);
		assertThat(Files.isDirectory(this.directory.resolve("c"), LinkOption.NOFOLLOW_LINKS)).isTrue();
	}

	@Test
	void policyHoldsForBothEnds() {
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS
			.withWritePolicy(new WritePolicy(false, List.of("src/deep"), List.of()));
		this.context = ToolContext.builder(workspace())
			.files(new LocalWorkspaceFilesFactory(options).open(workspace()))
			.build();
		for (Map<String, Object> arguments : List.<Map<String, Object>>of(
				Map.of("source", "src/deep/Other.java", "destination", "x"),
				Map.of("source", "src", "destination", "x"),
				Map.of("source", "readme.md", "destination", "src/deep/x"))) {
			assertThat(call("Move", arguments).data()).as("%s", arguments).containsEntry("error", "protected_path");
		}
		assertThat(call("Copy", Map.of("source", "readme.md", "destination", "src/deep/x")).data())
			.containsEntry("error", "protected_path");
		assertThat(paths()).hasSize(3);
	}

	@Test
	void copyBeyondQuotaIsRefusedAndMoveIsNot() {
		this.context = ToolContext.builder(workspace())
			.files(new QuotaWorkspaceFiles(this.context.files(), new WorkspaceQuota(40, 10)))
			.build();
		assertThat(call("Copy", Map.of("source", "readme.md", "destination", "x")).data()).containsEntry("error",
				"quota_exceeded");
		assertThat(call("Move", Map.of("source", "readme.md", "destination", "x")).error()).isNull();
	}

}
