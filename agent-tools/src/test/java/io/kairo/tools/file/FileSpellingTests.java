package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a session knows a file by every spelling that the store treats as one.
 */
class FileSpellingTests {

	private static final String CONTENT = "one\ntwo\n";

	@TempDir
	Path directory;

	@ParameterizedTest
	@EnumSource
	void fileReadInOneSpellingIsWrittenInAnother(Store store) {
		FileToolsFixture tools = store.tools(this.directory);
		tools.read("kb/a.txt");
		assertThat(tools.write("KB/A.TXT", "1\n").data()).containsEntry("outcome", "replaced");
		assertThat(tools.edit("kb/A.txt", "1", "2").error()).isNull();
		assertThat(tools.write("kb/a.txt", "3\n").error()).isNull();
		assertThat(tools.context().files().tryReadFile("kb/a.txt").value().content()).isEqualTo("3\n");
	}

	@ParameterizedTest
	@EnumSource
	void fileReadInOneSpellingIsStaleInAnother(Store store) {
		FileToolsFixture tools = store.tools(this.directory);
		tools.read("kb/a.txt");
		tools.otherSession().edit("KB/a.txt", "one", "1");
		ToolResult result = tools.edit("KB/A.TXT", "two", "2");
		assertThat(result.error().code()).isEqualTo("stale_read");
		assertThat(result.text()).contains("-one\n+1\n");
	}

	@ParameterizedTest
	@EnumSource
	void createdFileIsKnownInAnotherSpelling(Store store) {
		FileToolsFixture tools = store.tools(this.directory);
		assertThat(tools.write("New/File", "1\n").error()).isNull();
		assertThat(tools.write("new/file", "2\n").data()).containsEntry("outcome", "replaced");
	}

	@Test
	void namesInListingAreBelowDirectoryInAnySpelling() {
		ToolContext context = Store.LOGICAL.tools(this.directory).context();
		context.files().tryWriteFile("kb/caf\u00e9/x ", "x").value();
		context.files().tryWriteFile("kb/caf\u00e9/y /z", "x").value();
		assertThat(new ListFilesTool().call(Map.of("path", "KB/cafe\u0301", "depth", 2), context).data()).asString()
			.contains("name=x,", "name=y /,", "name=y /z,");
	}

	@Test
	void spellingsAreSeparateFilesWhereTheStoreKeepsThemApart() throws IOException {
		FileToolsFixture tools = new FileToolsFixture(this.directory);
		tools.put("kb/a.txt", CONTENT);
		tools.put("kb/A.txt", "other\n");
		Assumptions.assumeTrue(tools.get("kb/a.txt").startsWith("one"), "the file system ignores case");
		tools.read("kb/a.txt");
		assertThat(tools.write("kb/A.txt", "x").error().code()).isEqualTo("stale_read");
		tools.read("kb/A.txt");
		assertThat(tools.write("kb/a.txt", "x").error()).isNull();
	}

	/**
	 * A link in another case stands for a host that ignores case.
	 */
	@Test
	void spellingIsThatOfTheDisk() throws IOException {
		FileToolsFixture tools = new FileToolsFixture(this.directory);
		tools.put("kb/a.txt", CONTENT);
		Assumptions.assumeFalse(Files.exists(this.directory.resolve("KB")), "the file system ignores case");
		Files.createSymbolicLink(this.directory.resolve("KB"), Path.of("kb"));
		tools.read("KB/a.txt");
		assertThat(tools.write("kb/a.txt", "x").error()).isNull();
	}

	/**
	 * A store that ignores case.
	 */
	enum Store {

		/** On disk. */
		LOGICAL,

		/** In memory. */
		MEMORY;

		FileToolsFixture tools(Path directory) {
			Workspace workspace = FileToolsFixture.workspace(directory);
			WorkspaceFiles files = (this == MEMORY)
					? new InMemoryWorkspaceFiles(workspace.root(), WritePolicy.ALLOW_ALL)
					: new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(PathPolicy.LOGICAL))
						.open(workspace);
			files.tryWriteFile("kb/a.txt", CONTENT).value();
			return new FileToolsFixture(directory, ToolContext.builder(workspace).files(files).build());
		}

	}

}
