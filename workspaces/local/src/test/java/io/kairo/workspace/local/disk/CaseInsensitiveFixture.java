package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;

/**
 * A workspace with {@link NameMatching#CASE_INSENSITIVE} on a case-sensitive file system.
 */
abstract class CaseInsensitiveFixture extends OneRootFixture {

	@BeforeEach
	void ignoreCase() throws IOException {
		this.temp = this.temp.toRealPath();
		file("Src/Main.java", "main");
		Assumptions.assumeFalse(Files.exists(this.root.resolve("src")), "the file system ignores case");
		this.files = open(WritePolicy.ALLOW_ALL);
	}

	WorkspaceFiles open(WritePolicy policy) {
		return open(policy, DirectoryOpener.platform());
	}

	WorkspaceFiles open(WritePolicy policy, DirectoryOpener opener) {
		return new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(policy).withNameMatching(NameMatching.CASE_INSENSITIVE),
				opener)
			.open(TestWorkspaces.of(this.root));
	}

	String read(String path) {
		return TestWorkspaces.read(this.files, path);
	}

	void write(String path, String text) {
		this.files.apply(new Write(path(path), bytes(text))).value();
	}

	void refused(WorkspaceErrorCode code, WorkspaceChange... changes) {
		for (WorkspaceChange change : changes) {
			TestWorkspaces.failure(this.files.apply(change), code);
		}
	}

	List<String> names(String directory) throws IOException {
		try (Stream<Path> entries = Files.list(this.root.resolve(directory))) {
			return entries.map((entry) -> entry.getFileName().toString()).sorted().toList();
		}
	}

}
