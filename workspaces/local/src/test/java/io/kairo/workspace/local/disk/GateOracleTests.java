package io.kairo.workspace.local.disk;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the disk store with a plain oracle for random arguments: their path, the file
 * reached through links, and the decision of the write policy. The system properties
 * {@code kairo.random.arguments}, {@code kairo.random.opened} and
 * {@code kairo.random.seed} set the number of arguments, the number of opened ones and
 * the seed.
 */
class GateOracleTests {

	private static final int ARGUMENTS = Integer.getInteger("kairo.random.arguments", 3_000);

	private static final long SEED = Long.getLong("kairo.random.seed", 20_261_122);

	/** Number of different paths that are opened. */
	private static final int OPENED = Integer.getInteger("kairo.random.opened", 2_000);

	/** Number of paths that are also written, which takes longer. */
	private static final int WRITTEN = 100;

	private static final List<String> PROTECTED = List.of(".git/hooks", "sub/kept", "to-prot", "**/b/file");

	private static final List<String> ALLOWED = List.of("a", ".git", "sub", "added-too", "CAF\u00c9");

	private static final String LINKS = """
			file-in -> a/b/file
			dir-in -> ./a/b
			self -> .
			abs-in -> $/primary/a
			out -> ../outside
			secret -> $/outside/secret
			up -> ..
			top -> /
			dangling -> a/missing
			dangling-dir -> missing/deeper
			dangling-out -> ../nowhere/x
			alike -> ../primaryish/secret
			loop -> loop2
			loop2 -> loop
			me -> me/x
			round -> ../outside/../primary/a
			by-alias -> $/alias/a/b
			fifo-link -> fifo
			to-added -> ../added
			to-git -> .git
			to-hooks -> to-git/hooks
			to-prot -> a/File
			proc -> /proc/self
			a/back -> ../sub/kept
			Case -> A/FILE""";

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	List<Path> roots;

	ModelTree tree;

	@BeforeEach
	void createTree() throws Exception {
		this.temp = this.temp.toRealPath();
		Assumptions.assumeTrue(this.temp.getFileSystem().getSeparator().equals("/"), "needs POSIX paths");
		this.roots = Stream.of("primary", "added", "added/in/nested", "primary/sub").map(this.temp::resolve).toList();
		this.tree = new ModelTree(this.temp);
		for (String file : List.of("primary/a/b/file", "primary/a/B/file", "primary/a/File", "primary/readme.md",
				"primary/ReadMe.md", "primary/.git/hooks/pre-commit", "primary/.git/HEAD", "primary/sub/kept/x",
				"primary/sub/file", "primary/x..y", "primary/..x", "primary/ a", "primary/a ", "primary/back\\slash",
				"primary/Caf\u00e9/file", "primary/Cafe\u0301/other", "primary/cafe\u0301s", "primary/workspace/file",
				"primary/@output/file", "primary/" + "x".repeat(255), "primary/\u65e5\u672c/\ud83d\ude00", "added/file",
				"added/in/nested/file", "added/in/nested/A/file", "added/.git/hooks/x", "primaryish/secret",
				"outside/secret", "outside/dir/secret")) {
			this.tree.file(file);
		}
		this.tree.directory("primary/empty").fifo("primary/fifo").link("alias", this.temp + "/primary");
		for (String link : LINKS.replace("$", this.temp.toString()).split("\n")) {
			this.tree.link("primary/" + link.substring(0, link.indexOf(' ')), link.substring(link.indexOf('>') + 2));
		}
		for (int i = 0; i < 42; i++) {
			this.tree.link("primary/chain" + i, (i == 0) ? "a/File" : "chain" + (i - 1));
		}
	}

	static Stream<Arguments> modes() {
		return Stream.of(PathPolicy.values())
			.flatMap((policy) -> Stream.of(NameMatching.FILE_SYSTEM, NameMatching.CASE_INSENSITIVE)
				.map((matching) -> Arguments.of(policy, matching)));
	}

	@ParameterizedTest
	@MethodSource("modes")
	void randomArgumentsResolveAsInTheOracle(PathPolicy policy, NameMatching matching) {
		Random random = new Random(SEED);
		GateArguments arguments = new GateArguments(random, this.tree, this.temp, this.roots);
		WorkspaceFiles files = open(policy, matching);
		GateOracle gate = new GateOracle(policy, policy.hidesHost() ? this.roots.subList(0, 1) : this.roots);
		OpenOracle tree = new OpenOracle(this.tree, gate, matching, PROTECTED, ALLOWED);
		Map<String, Integer> outcomes = new TreeMap<>();
		Map<String, String> opened = new HashMap<>();
		for (int i = 0; i < ARGUMENTS; i++) {
			WorkspacePath cwd = gate.path(arguments.directory(policy));
			String argument = arguments.next(cwd.toString());
			String expected = gate.resolve(argument, cwd.toString());
			String actual = resolve(files, argument, cwd);
			assertEqual(actual, expected, i, argument, cwd);
			if (!actual.startsWith("/")) {
				outcomes.merge(actual, 1, Integer::sum);
				continue;
			}
			WorkspacePath path = files.resolve(argument, cwd);
			String displayed = files.display(path, cwd);
			assertEqual(resolve(files, displayed, cwd), actual, i, displayed, cwd);
			String found = opened.get(actual);
			if (found == null && opened.size() < OPENED && tree.knows(path.toString())) {
				found = tree.read(path.toString());
				assertEqual(read(files, path), found, i, argument, cwd);
				opened.put(actual, found);
				if (opened.size() <= WRITTEN) {
					String written = tree.write(path.toString());
					assertEqual(write(files, path), written, i, argument, cwd);
					outcomes.merge("write: " + written, 1, Integer::sum);
				}
			}
			outcomes.merge((found == null) ? "not opened" : found.split(" ")[0], 1, Integer::sum);
		}
		assertThat(outcomes).containsKeys("content", "file_not_found", "is_a_directory", "not_a_directory",
				"path_traversal_blocked", "invalid_path", "unsupported_file_type", "read_failed",
				"write: protected_path", "write: stale_read");
		assertThat(outcomes.containsKey("ambiguous_path")).isEqualTo(matching == NameMatching.CASE_INSENSITIVE);
	}

	@ParameterizedTest
	@MethodSource("modes")
	void visitedPathsResolveFromAnyDirectory(PathPolicy policy, NameMatching matching) {
		Random random = new Random(SEED);
		GateArguments arguments = new GateArguments(random, this.tree, this.temp, this.roots);
		GateOracle gate = new GateOracle(policy, policy.hidesHost() ? this.roots.subList(0, 1) : this.roots);
		WorkspaceFiles files = open(policy, matching);
		Queue<WorkspacePath> visited = new ConcurrentLinkedQueue<>();
		files.walk(files.root(), (file) -> {
			visited.add(file.path());
			return WorkspaceVisitor.Next.CONTINUE;
		}).value();
		assertThat(visited).hasSizeGreaterThan(15);
		for (WorkspacePath path : visited) {
			for (int i = 0; i < 20; i++) {
				WorkspacePath cwd = gate.path(arguments.directory(policy));
				WorkspacePath again = files.resolve(files.display(gate.path(path.toString()), cwd), cwd);
				assertThat(read(files, again)).as("%s from %s, seed %d", path, cwd, SEED)
					.isEqualTo("content " + path.toString());
			}
		}
	}

	private WorkspaceFiles open(PathPolicy policy, NameMatching matching) {
		return new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS.withPathPolicy(policy)
			.withNameMatching(matching)
			.withWritePolicy(new WritePolicy(false, PROTECTED, ALLOWED)))
			.open(TestWorkspaces.of(this.roots.toArray(Path[]::new)));
	}

	private static void assertEqual(String actual, String expected, int number, String argument, WorkspacePath cwd) {
		if (!actual.equals(expected)) {
			assertThat(actual).as("seed %d, argument %d: %s from %s", SEED, number, WorkspacePath.quote(argument), cwd)
				.isEqualTo(expected);
		}
	}

	private static String resolve(WorkspaceFiles files, String argument, WorkspacePath cwd) {
		try {
			WorkspacePath path = files.resolve(argument, cwd);
			return path.root() + ":" + path.relative();
		}
		catch (WorkspacePathException ex) {
			return ex.code().code();
		}
	}

	private static String read(WorkspaceFiles files, WorkspacePath path) {
		WorkspaceResult<FileContent> result = files.read(path, 0, Integer.MAX_VALUE);
		return (result instanceof WorkspaceResult.Failure<?> failure) ? failure.code().code()
				: "content " + TestWorkspaces.text(result.value().bytes());
	}

	/**
	 * Writes with a version that is always stale, so that nothing changes.
	 */
	private static String write(WorkspaceFiles files, WorkspacePath path) {
		byte[] content = "never written".getBytes(StandardCharsets.UTF_8);
		return ((WorkspaceResult.Failure<?>) files.apply(new WorkspaceChange.Write(path, content, "sha256:stale")))
			.code()
			.code();
	}

}
