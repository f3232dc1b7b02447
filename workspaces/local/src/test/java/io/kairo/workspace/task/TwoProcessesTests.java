package io.kairo.workspace.task;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two processes that use one data directory at once.
 */
class TwoProcessesTests {

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	@Test
	void twoProcessesAgreeOnEveryAgentAndLoseNoFile() throws Exception {
		Path directory = Files.createDirectory(this.temp.resolve("both"));
		Process one = TaskProcess.start("one", directory);
		Process two = TaskProcess.start("two", directory);
		try {
			assertThat(one.waitFor(120, TimeUnit.SECONDS)).isTrue();
			assertThat(two.waitFor(120, TimeUnit.SECONDS)).isTrue();
		}
		finally {
			one.destroyForcibly().waitFor();
			two.destroyForcibly().waitFor();
		}
		List<String> sawOne = Files.readAllLines(Path.of(directory + "-one.txt"));
		List<String> sawTwo = Files.readAllLines(Path.of(directory + "-two.txt"));
		assertThat(sawOne).as("output of the first process").hasSize(TaskProcess.AGENTS + 1);
		assertThat(sawTwo).as("output of the second process").hasSize(TaskProcess.AGENTS + 1);
		assertThat(sawOne.subList(1, sawOne.size())).isEqualTo(sawTwo.subList(1, sawTwo.size()));
		AgentTree later = TaskProcess.tree(directory);
		for (int agent = 0; agent < TaskProcess.AGENTS; agent++) {
			String workspace = later.workspaceOf(TenantContext.SINGLE, "agent-" + agent);
			assertThat(sawOne.get(agent + 1)).isEqualTo(agent + "=" + workspace);
			Path files = directory.resolve("data/workspaces").resolve(workspace).resolve("made/by");
			assertThat(files.resolve("one/" + agent)).hasContent("one");
			assertThat(files.resolve("two/" + agent)).hasContent("two");
		}
		try (var workspaces = Files.list(directory.resolve("data/workspaces"))) {
			assertThat(workspaces.map((path) -> path.getFileName().toString())).isSubsetOf("top-1", "top-2");
		}
	}

}
