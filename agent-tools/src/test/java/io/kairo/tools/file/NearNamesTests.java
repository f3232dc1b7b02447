package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolContext;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NearNames} beside many long names.
 */
class NearNamesTests {

	private static final String LONG = "x".repeat(240);

	@TempDir
	Path directory;

	@BeforeEach
	void createManyFiles() throws IOException {
		for (int i = 0; i < 200; i++) {
			create("%03d".formatted(i) + LONG);
		}
	}

	private void create(String name) throws IOException {
		Files.createFile(this.directory.resolve(name));
	}

	private @Nullable String question(String missing) {
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.directory)
			.acquire(WorkspaceRequest.writable(null));
		ToolContext context = ToolContext.builder(workspace).build();
		return NearNames.question(context.resolve(missing), context);
	}

	@Test
	void nameThatContainsTheMissingOneIsAlwaysFound() throws IOException {
		create("z" + LONG + ".java");
		assertThat(question("Z" + LONG)).startsWith("Did you mean 'z" + LONG + ".java', ");
	}

	@Test
	void namesAreComparedUpToABound() throws IOException {
		create("z" + LONG + "a");
		assertThat(question("z" + LONG + "b")).startsWith("Did you mean '000" + LONG + "', ").doesNotContain("z");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "Shot 9.22\u202fPM.png|Shot 9.22 PM.png|spelled 'Shot 9.22\\u202fPM.png'",
					"cafe\u0301.txt|caf\u00e9.txt|spelled 'cafe\\u0301.txt'",
					"Bob's.txt|Bob\u2019s.txt|you gave 'Bob\\u2019s.txt'",
					"caf\u00e9.txt|cafe\u0301.txt|you gave 'cafe\\u0301.txt'" })
	void questionShowsLookAlikeCharacters(String name, String missing, String difference) throws IOException {
		create(name);
		assertThat(question(missing)).isEqualTo("Did you mean '" + name + "' (" + difference + ")?");
	}

}
