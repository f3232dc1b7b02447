package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random histories of changes and commands, with a foreign editor in between, against a
 * copy of the tree.
 */
class RandomHistoryTests {

	private static final int STEPS = 12;

	/** The oracle reads each file. */
	private static final String UNREADABLE = System.getProperty("user.name").equals("root") ? "000" : "400";

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private CheckpointStore store;

	private WorkspaceCheckpoints checkpoints;

	private WorkspaceFiles files;

	@BeforeEach
	void open() throws IOException {
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		this.store = new CheckpointStore(this.temp.resolve("state/checkpoints"), new CheckpointOptions(64 << 20,
				256 << 20, 1 << 20, 50_000, Duration.ofDays(1), Duration.ofSeconds(20), true));
		Workspace workspace = new LocalDirectoryWorkspaceProvider(this.root).acquire(WorkspaceRequest.writable(null));
		this.checkpoints = this.store.open(TenantContext.SINGLE, "session", workspace);
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace);
	}

	@AfterEach
	void close() {
		this.store.close();
	}

	static Stream<Integer> seeds() {
		return IntStream.range(0, Integer.getInteger("kairo.checkpoints.histories", 6)).boxed();
	}

	@ParameterizedTest
	@MethodSource("seeds")
	void rewindAndRedo(int seed) throws Exception {
		Random random = new Random(seed);
		command("mkdir -p src/a src/b empty; for i in $(seq 12); do echo $i > src/a/f$i; echo b$i > src/b/g$i; done; "
				+ "ln -s f1 src/a/link; printf '#!/bin/sh\\n' > run; chmod 755 run; git init -q . 2>/dev/null; "
				+ "git add src 2>/dev/null; git -c user.name=a -c user.email=a@b commit -qm one 2>/dev/null");
		List<Map<String, String>> states = new ArrayList<>();
		states.add(tree());
		this.checkpoints.take(this.files, "start").value();
		for (int i = 0; i < STEPS; i++) {
			if (random.nextInt(3) == 0) {
				change(random);
			}
			else {
				try (WorkspaceCheckpoints.Recording recording = this.checkpoints.begin(this.files, "command " + i)) {
					command(command(random, i));
				}
			}
			states.add(tree());
		}
		Map<String, String> end = tree();
		Map<String, String> foreign = Map.of();
		if (seed % 2 == 1) {
			foreign = foreign(random, end);
		}
		Map<String, String> changed = tree();
		Rewind preview = this.checkpoints.changes(this.files, Range.since("start"), Set.of()).value();
		assertSame(changed);
		WorkspaceResult<Rewind> rewound = this.checkpoints.restore(this.files, Range.since("start"), Set.of());
		assertThat(rewound.isOk()).as(rewound.toString()).isTrue();
		assertThat(rewound.value().changes()).isEqualTo(preview.changes());
		if (seed % 2 == 0) {
			assertThat(rewound.value().changes()).allMatch((change) -> change.obstacle() == null);
			assertSame(states.get(0));
			assertThat(this.checkpoints.restore(this.files, Range.redo(), Set.of()).isOk()).isTrue();
			assertSame(end);
			back(random, states);
		}
		else {
			Map<String, String> now = tree();
			assertThat(foreign).allSatisfy((name, state) -> assertThat(now.get(name)).as(name).isEqualTo(state));
			Set<String> obstacles = rewound.value()
				.changes()
				.stream()
				.filter((change) -> change.obstacle() != null)
				.map((change) -> change.path().relative())
				.collect(Collectors.toSet());
			Map<String, String> expected = new TreeMap<>(states.get(0));
			Map<String, String> actual = tree();
			foreign.keySet().forEach(expected::remove);
			foreign.keySet().forEach(actual::remove);
			obstacles.forEach(expected::remove);
			obstacles.forEach(actual::remove);
			assertThat(Tree.difference(expected, actual)).isEmpty();
			assertThat(this.checkpoints.restore(this.files, Range.redo(), Set.of()).isOk()).isTrue();
			assertSame(changed);
		}
	}

	/**
	 * Undoes some of the last steps at a time.
	 */
	private void back(Random random, List<Map<String, String>> states) throws IOException {
		// a step without an effect is none
		List<Map<String, String>> different = new ArrayList<>();
		for (Map<String, String> each : states) {
			if (different.isEmpty() || !different.get(different.size() - 1).equals(each)) {
				different.add(each);
			}
		}
		int left = different.size() - 1;
		while (left > 0) {
			int count = 1 + random.nextInt(Math.min(3, left));
			assertThat(this.checkpoints.restore(this.files, Range.last(count), Set.of()).isOk()).isTrue();
			left -= count;
			assertSame(different.get(left));
		}
	}

	private void change(Random random) {
		WorkspaceFiles recorded = this.checkpoints.recorded(this.files);
		WorkspacePath file = recorded.resolve("src/a/f" + (1 + random.nextInt(14)), recorded.root());
		WorkspacePath other = recorded.resolve("new/dir" + random.nextInt(3) + "/x" + random.nextInt(3),
				recorded.root());
		switch (random.nextInt(6)) {
			case 0 -> recorded.apply(new WorkspaceChange.Write(file, bytes(random)));
			case 1 -> recorded.apply(new WorkspaceChange.Delete(file));
			case 2 -> recorded.apply(new WorkspaceChange.Move(file, other));
			case 3 -> recorded
				.apply(new WorkspaceChange.Write(recorded.resolve("src/a/link", recorded.root()), bytes(random)));
			case 4 -> recorded.apply(new WorkspaceChange.Delete(recorded.resolve("src/b", recorded.root()),
					WorkspaceChange.Depth.RECURSIVE, null));
			default -> recorded.apply(new WorkspaceChange.Copy(recorded.resolve("src", recorded.root()),
					recorded.resolve("copy" + random.nextInt(2), recorded.root())));
		}
	}

	private static byte[] bytes(Random random) {
		byte[] bytes = new byte[random.nextInt(5000)];
		random.nextBytes(bytes);
		return bytes;
	}

	private static String command(Random random, int step) {
		String[] commands = { "rm -rf src/b", "mv src/a/f1 src/a/f2", "git clean -qfdx", "git checkout -q . ",
				"chmod 600 src/a/f3; chmod 700 src/b", "chmod 444 src/a/f4; chmod " + UNREADABLE + " src/a/f5",
				"ln -sf /etc/passwd out", "ln -sfn b src/c",
				"mkdir burst; cd burst; for i in $(seq 100); do echo $i > n$i; done",
				"mv src/a src/moved; mkdir -p src/a", "mv src/moved src/a 2>/dev/null", ": > src/a/f6",
				"exec 3>>src/a/f7; rm -f src/a/f7; echo kept >&3; echo new > src/a/f7", "truncate -s 3 src/a/f8",
				"echo xx > src/a/f9; touch -d 2000-01-01 src/a/f9",
				"rm -f src/a/f10; mkdir src/a/f10; echo x > src/a/f10/y", "rm -rf src/a/f10; echo file > src/a/f10",
				"rm -rf empty", "mkdir -p empty/deep/er; chmod 500 empty/deep",
				"chmod 700 empty/deep; echo x > empty/deep/x", "ln run hard", "echo more >> run; chmod 711 run",
				"cp -r src twice; rm -rf src/a", "head -c 200000 /dev/urandom > big; cp big big2",
				"rm -rf .git/refs/heads/x; git add -A 2>/dev/null; git -c user.name=a -c user.email=a@b commit -qm two",
				"rm -rf *", "mkdir -p '" + "n".repeat(200) + "/ü ö'; echo x > '" + "n".repeat(200) + "/ü ö/\"q\"'",
				"rm -f src/a/link; cp -p src/a/f11 src/a/link; mv src/b/g1 src/a/f11" };
		return commands[random.nextInt(commands.length)] + " ; echo " + step + " > counter";
	}

	private Map<String, String> foreign(Random random, Map<String, String> tree) throws Exception {
		List<String> names = tree.keySet().stream().filter((name) -> !name.startsWith(".git")).toList();
		Map<String, String> foreign = new TreeMap<>();
		for (int i = 0; i < 3 && !names.isEmpty(); i++) {
			String name = names.get(random.nextInt(names.size()));
			Path path = this.root.resolve(name);
			if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(path)) {
				Files.writeString(path, "a person was here " + i);
			}
			else if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(path)) {
				name = name + "/person" + i;
				Files.writeString(this.root.resolve(name), "mine");
			}
			else {
				continue;
			}
			foreign.put(name, "");
		}
		Map<String, String> after = tree();
		foreign.replaceAll((name, nothing) -> String.valueOf(after.get(name)));
		foreign.values().removeIf("null"::equals);
		return foreign;
	}

	private void command(String command) throws Exception {
		Process process = new ProcessBuilder("bash", "-c", command).directory(this.root.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.DISCARD)
			.start();
		assertThat(process.waitFor()).isLessThan(128);
	}

	private void assertSame(Map<String, String> expected) throws IOException {
		assertThat(Tree.difference(expected, tree())).isEmpty();
	}

	private Map<String, String> tree() throws IOException {
		return Tree.of(this.root);
	}

}
