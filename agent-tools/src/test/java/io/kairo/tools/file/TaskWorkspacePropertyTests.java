package io.kairo.tools.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.task.TaskWorkspaceProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the properties of the workspaces of a tree of agents, with random agents,
 * paths and contents, through the tools. The system property {@code kairo.stress=long}
 * increases the number of seeds.
 */
class TaskWorkspacePropertyTests {

	private static final boolean LONG = "long".equals(System.getProperty("kairo.stress"));

	private static final int CASES = 5;

	@TempDir(factory = FastTempDir.class)
	Path temp;

	private Path data;

	private TaskTools tools;

	@BeforeEach
	void createTools() {
		this.data = this.temp.resolve("data");
		this.tools = new TaskTools(this.data);
	}

	@AfterEach
	void closeTools() {
		this.tools.close();
	}

	static LongStream seeds() {
		return LongStream.range(0, LONG ? 120 : 20);
	}

	/**
	 * Returns the seeds of the cases in one application, so that each property has at
	 * least a hundred.
	 */
	private static long[] cases(long first) {
		return LongStream.range(first * CASES, (first + 1) * CASES).toArray();
	}

	static LongStream fewSeeds() {
		return LongStream.range(0, LONG ? 30 : 8);
	}

	private String assigned(Random random) {
		String agent = "agent-" + Long.toHexString(random.nextLong());
		this.tools.tree().register(agent, "root");
		return agent;
	}

	/**
	 * Property 1: a workspace that is assigned and read but not written has no directory.
	 */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void directoryIsNotCreatedBeforeFirstWrite(long first) {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String agent = assigned(files.random());
			for (int call = 0; call < 5; call++) {
				switch (files.random().nextInt(4)) {
					case 0 -> this.tools.list(agent);
					case 1 -> this.tools.info(agent);
					case 2 -> assertThat(this.tools.read(agent, files.path()).data()).as("seed %d", seed)
						.containsEntry("error", "file_not_found");
					default -> this.tools.write(agent, files.traversal(), "x");
				}
			}
			assertThat(this.data).as("seed %d", seed).doesNotExist();
		}
	}

	/**
	 * Property 2: the first write creates the directory of its workspace and no other.
	 */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void firstWriteCreatesDirectoryOfItsWorkspaceOnly(long first) {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String agent = assigned(files.random());
			String other = assigned(files.random());
			ToolResult written = this.tools.write(agent, files.path(), files.content());
			assertThat(written.data()).as("seed %d: %s", seed, written.text()).isEqualTo(Map.of("ok", true));
			assertThat(this.tools.workspace(agent)).as("seed %d", seed).isDirectory();
			assertThat(this.tools.workspace(other)).as("seed %d", seed).doesNotExist();
		}
	}

	/** Property 3: a read returns the written content, also after a file is replaced. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void readReturnsWrittenContent(long first) {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String agent = assigned(files.random());
			String path = files.path();
			for (int time = 0; time < 2; time++) {
				String content = files.content();
				assertThat(this.tools.write(agent, path, content).data()).as("seed %d", seed).containsEntry("ok", true);
				assertThat(this.tools.read(agent, path).data()).as("seed %d, time %d", seed, time)
					.isEqualTo(Map.of("content", content));
			}
		}
	}

	/** Property 3, for sizes close to the limits of reading and hashing. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("fewSeeds")
	void readReturnsWrittenContentOfAnyLength(long seed) {
		RandomFiles files = new RandomFiles(seed);
		String agent = assigned(files.random());
		String content = files.longContent();
		ToolResult written = this.tools.write(agent, "long", content);
		assertThat(written.data()).as("seed %d: %s", seed, written.text()).isEqualTo(Map.of("ok", true));
		ToolResult read = this.tools.read(agent, "long");
		assertThat(read.data()).as("seed %d: %s", seed, read.text().substring(0, 100)).containsOnlyKeys("content");
		// isEqualTo would print both texts on failure
		assertThat(content.equals(read.data().get("content"))).as("seed %d, %d characters", seed, content.length())
			.isTrue();
	}

	/** Property 4: a workspace that was not written is empty and causes no error. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void unwrittenWorkspaceIsEmpty(long first) {
		for (long seed : cases(first)) {
			String agent = assigned(new Random(seed));
			assertThat(this.tools.list(agent).data()).as("seed %d", seed).isEqualTo(Map.of("files", List.of()));
			assertThat(this.tools.call(agent, "list_files", Map.of("path", ".")).data())
				.isEqualTo(Map.of("files", List.of()));
			assertThat(this.tools.info(agent).data()).as("seed %d", seed)
				.isEqualTo(Map.of("fileCount", 0L, "dirCount", 0L, "totalSize", 0L, "lastModified",
						"1970-01-01T00:00:00Z"));
		}
	}

	/** Property 5: absolute paths and paths with a {@code ..} segment are rejected. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void pathsOutsideWorkspaceAreBlocked(long first) throws IOException {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String agent = assigned(files.random());
			this.tools.write(agent, "kept.txt", "kept");
			String path = files.traversal();
			for (ToolResult result : List.of(this.tools.write(agent, path, "x"), this.tools.read(agent, path),
					this.tools.call(agent, "list_files", Map.of("path", path)),
					this.tools.call(agent, "edit_file", Map.of("path", path, "old_string", "", "new_string", "x")))) {
				assertThat(result.data()).as("%s, seed %d", path, seed)
					.containsEntry("error", "path_traversal_blocked");
			}
			try (Stream<Path> all = Files.walk(this.temp)) {
				assertThat(all.filter(Files::isRegularFile)).as("seed %d", seed)
					.hasSize((int) (seed - first * CASES + 1));
			}
		}
	}

	/** Property 6: an agent uses the workspace of its nearest ancestor that has one. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void agentInheritsWorkspaceOfNearestAncestor(long seed) {
		Random random = new Random(seed);
		Map<String, String> parents = new HashMap<>();
		int agents = 2 + random.nextInt(10);
		for (int agent = 0; agent < agents; agent++) {
			String parent = switch (random.nextInt(8)) {
				case 0, 1 -> "root";
				case 2 -> "user";
				default -> "a" + random.nextInt(agents + 1);
			};
			if (!parent.equals("a" + agent)) {
				this.tools.tree().register("a" + agent, parent);
				parents.put("a" + agent, parent);
			}
		}
		Map<String, String> workspaces = inherited(parents);
		for (int agent = 0; agent <= agents; agent++) {
			String id = "a" + agent;
			String workspace = workspaces.get(id);
			ToolResult result = this.tools.write(id, "by/" + id, id);
			if (workspace == null) {
				assertThat(result.data()).as("%s of %s, seed %d", id, parents, seed)
					.containsEntry("error", "workspace_not_assigned");
			}
			else {
				assertThat(this.tools.workspace(workspace).resolve("by").resolve(id))
					.as("%s of %s, seed %d: %s", id, parents, seed, result.text())
					.hasContent(id);
			}
		}
	}

	/**
	 * Passes workspaces down from the children of root until no further agent gets one.
	 */
	private static Map<String, String> inherited(Map<String, String> parents) {
		Map<String, String> workspaces = new HashMap<>();
		parents.forEach((agent, parent) -> {
			if (parent.equals("root")) {
				workspaces.put(agent, agent);
			}
		});
		int before;
		do {
			before = workspaces.size();
			parents.forEach((agent, parent) -> {
				if (workspaces.containsKey(parent)) {
					workspaces.putIfAbsent(agent, workspaces.get(parent));
				}
			});
		}
		while (workspaces.size() > before);
		return workspaces;
	}

	/** Property 7: two children of root share no files. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void workspacesOfRootChildrenAreIsolated(long first) {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String one = assigned(files.random());
			String two = assigned(files.random());
			String path = files.path();
			this.tools.write(one, path, "of one");
			assertThat(this.tools.read(two, path).data()).as("seed %d", seed).containsEntry("error", "file_not_found");
			assertThat(this.tools.list(two).data()).isEqualTo(Map.of("files", List.of()));
			this.tools.write(two, path, "of two");
			assertThat(this.tools.read(one, path).data()).as("seed %d", seed).containsEntry("content", "of one");
			for (String foreign : List.of("../" + one + "/" + path, this.tools.workspace(one) + "/" + path)) {
				assertThat(this.tools.read(two, foreign).data()).as("seed %d", seed)
					.containsEntry("error", "path_traversal_blocked");
			}
		}
	}

	/** Property 8: the workspace of a child of root has the id of the child. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void workspaceOfRootChildHasIdOfChild(long first) {
		for (long seed : cases(first)) {
			Random random = new Random(seed);
			String agent = assigned(random);
			assertThat(this.tools.tree().workspaceOf(TenantContext.SINGLE, agent)).as("seed %d", seed).isEqualTo(agent);
			TenantContext tenant = new TenantContext("default", "ann", Map.of("agent.id", agent));
			assertThat(new TaskWorkspaceProvider(this.tools.tree(), this.data)
				.acquire(new WorkspaceRequest(null, tenant, true))
				.root()).as("seed %d", seed).isEqualTo(this.data.resolve("workspaces").resolve(agent));
		}
	}

	/** Property 9: a write creates missing directories. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void writeCreatesMissingParentDirectories(long first) {
		for (long seed : cases(first)) {
			Random random = new Random(seed);
			String agent = assigned(random);
			List<String> names = new ArrayList<>();
			for (int depth = 2 + random.nextInt(10); depth > 0; depth--) {
				names.add("d" + random.nextInt(3));
			}
			String path = String.join("/", names) + "/file.txt";
			assertThat(this.tools.write(agent, path, "x").data()).as("seed %d", seed).isEqualTo(Map.of("ok", true));
			assertThat(this.tools.workspace(agent).resolve(path)).as("seed %d", seed).hasContent("x");
		}
	}

	/** Property 10: the reported counts equal those on disk. */
	@ParameterizedTest(name = "seed {0}")
	@MethodSource("seeds")
	void infoCountsEqualThoseOnDisk(long first) throws IOException {
		for (long seed : cases(first)) {
			RandomFiles files = new RandomFiles(seed);
			String agent = assigned(files.random());
			this.tools.write(agent, ".first", "x");
			for (int file = files.random().nextInt(6); file > 0; file--) {
				this.tools.write(agent, files.path(), files.content());
			}
			Path root = this.tools.workspace(agent);
			Files.createDirectories(root.resolve("empty/.hidden"));
			// written directly, as by a command
			Files.writeString(root.resolve(".gitignore"), "*\n");
			long fileCount = 0;
			long dirCount = -1;
			long totalSize = 0;
			Instant lastModified = Instant.EPOCH;
			try (Stream<Path> all = Files.walk(root)) {
				for (Path path : all.toList()) {
					if (Files.isDirectory(path)) {
						dirCount++;
					}
					else {
						fileCount++;
						totalSize += Files.size(path);
						Instant modified = Files.getLastModifiedTime(path).toInstant();
						lastModified = modified.isAfter(lastModified) ? modified : lastModified;
					}
				}
			}
			assertThat(this.tools.info(agent).data()).as("seed %d", seed)
				.isEqualTo(Map.of("fileCount", fileCount, "dirCount", dirCount, "totalSize", totalSize, "lastModified",
						lastModified.toString()));
		}
	}

}
