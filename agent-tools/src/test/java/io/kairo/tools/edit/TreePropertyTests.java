package io.kairo.tools.edit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.entry.CopyTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.FastTempDir;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that any sequence of edits, patches, moves, copies, deletions and restorations on
 * random trees in several charsets is applied exactly, or changes nothing.
 */
@Timeout(120)
class TreePropertyTests {

	private static final int CALLS = 120;

	private static final int FILES = 12;

	/** Each of them may be a file or a directory. */
	private static final List<String> NAMES = List.of("one", "two", "three");

	@TempDir(factory = FastTempDir.class)
	Path directory;

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	void sequenceOnDiskAppliesExactlyOrChangesNothing(long seed) throws IOException {
		Path root = Files.createDirectory(this.directory.resolve("root"));
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(root)).build();
		check(seed, context);
		try (Stream<Path> entries = Files.walk(root)) {
			assertThat(entries.count()).as("nothing is hidden").isEqualTo(entries(context.files()).size() + 1);
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 4, 5 })
	void sequenceInMemoryAppliesExactlyOrChangesNothing(long seed) {
		InMemoryWorkspaceProvider provider = new InMemoryWorkspaceProvider();
		Workspace workspace = provider.acquire(WorkspaceRequest.writable("memory:random"));
		check(seed, ToolContext.builder(workspace).files(provider.open(workspace)).build());
	}

	private void check(long seed, ToolContext context) {
		Random random = new Random(seed);
		ToolCatalog tools = tools();
		ModelTree tree = new ModelTree();
		for (int i = 0; i < FILES; i++) {
			String path = path(random);
			RandomText text = RandomText.create(random, i);
			if (tree.add(path, text)) {
				assertThat(context.files()
					.apply(new WorkspaceChange.Write(context.resolve(path), text.bytes(), WorkspaceChange.ABSENT))
					.isOk()).isTrue();
			}
		}
		Map<String, Integer> applied = new TreeMap<>();
		for (int i = 0; i < CALLS; i++) {
			ModelTree changed = tree.copy();
			Step step = step(changed, random);
			ToolResult result = tools.call(step.call(), context);
			String as = "seed %d, call %d: %s %s -> %s".formatted(seed, i, step.call().name(), step.call().arguments(),
					result.text());
			assertThat(result.error() == null).as(as).isEqualTo(step.applies());
			tree = step.applies() ? changed : tree;
			assertThat(entries(context.files())).as(as).isEqualTo(tree.entries());
			applied.merge(step.call().name(), step.applies() ? 1 : 0, Integer::sum);
		}
		assertThat(applied).containsOnlyKeys("ApplyPatch", "Copy", "Delete", "Move", "MultiEdit", "Undelete")
			.allSatisfy((tool, count) -> assertThat(count).as(tool).isPositive());
	}

	private ToolCatalog tools() {
		AtomicLong now = new AtomicLong();
		// every deletion has a time of its own
		InstantSource clock = () -> Instant.EPOCH.plusMillis(now.incrementAndGet());
		TrashStore trash = new TrashStore(this.directory.resolve("trash"),
				new TrashOptions(1 << 30, 1 << 30, 100_000, Duration.ofDays(1)), clock.withZone(ZoneOffset.UTC));
		return ToolCatalog.of(List.of(new ApplyPatchTool(EditOptions.defaults(), trash, ToolNaming.CLAUDE),
				new MultiEditTool(), new MoveTool(), new CopyTool(),
				new DeleteTool(trash, CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE),
				new UndeleteTool(trash, ToolNaming.CLAUDE)), List.of());
	}

	/**
	 * Makes a call, and changes a tree as the call should do.
	 */
	private static Step step(ModelTree tree, Random random) {
		int size = tree.files().size();
		boolean flag = random.nextBoolean();
		String path = known(tree, random);
		String target = path(random);
		return switch ((size == 0) ? 0 : random.nextInt((size > 2 * FILES) ? 5 : 8)) {
			case 0 -> addAndDelete(tree, path, target, random);
			case 1, 2 -> new Step(call("Delete", "path", path, "recursive", flag), tree.delete(path, flag));
			case 3 -> edit(tree, random);
			case 4 -> new Step(call("Move", "source", path, "destination", target, "overwrite", flag),
					tree.relocate(path, target, flag, false));
			case 5 -> {
				boolean recursive = random.nextInt(3) > 0;
				boolean applies = (recursive || !tree.isDirectory(path)) && tree.relocate(path, target, flag, true);
				yield new Step(
						call("Copy", "source", path, "destination", target, "overwrite", flag, "recursive", recursive),
						applies);
			}
			default -> {
				String removed = tree.removedPath(random.nextInt(1 << 20));
				String wanted = (removed != null) ? removed : path;
				yield new Step(call("Undelete", "path", wanted), tree.undelete(wanted));
			}
		};
	}

	private static Step edit(ModelTree tree, Random random) {
		Map<String, RandomText> files = new TreeMap<>(tree.files());
		boolean broken = random.nextInt(4) == 0;
		ToolCall call = random.nextBoolean() ? PatchPropertyTests.patch(files, random, broken)
				: PatchPropertyTests.edits(files, random, broken);
		tree.replace(files);
		return new Step(call, !broken);
	}

	/**
	 * Adds a file by a patch that deletes another one, if that is a file.
	 */
	private static Step addAndDelete(ModelTree tree, String deleted, String added, Random random) {
		String line = "added " + random.nextInt(1 << 30);
		boolean both = tree.files().containsKey(deleted) && !added.startsWith(deleted) && !deleted.startsWith(added);
		String patch = (both ? "*** Delete File: " + deleted + "\n" : "") + "*** Add File: " + added + "\n+" + line
				+ "\n";
		boolean applies = tree.add(added, new RandomText(StandardCharsets.UTF_8, "", "", List.of(line), List.of("\n")));
		if (both) {
			tree.delete(deleted, false);
		}
		return new Step(call("ApplyPatch", "patch", "*** Begin Patch\n" + patch + "*** End Patch\n"), applies);
	}

	private static ToolCall call(String tool, Object... arguments) {
		Map<String, Object> named = new HashMap<>();
		for (int i = 0; i < arguments.length; i += 2) {
			named.put((String) arguments[i], arguments[i + 1]);
		}
		return new ToolCall("", tool, named);
	}

	/**
	 * Returns the path of an entry, or any path.
	 */
	private static String known(ModelTree tree, Random random) {
		List<String> known = List.copyOf(tree.entries().keySet());
		return (known.isEmpty() || random.nextInt(8) == 0) ? path(random) : known.get(random.nextInt(known.size()));
	}

	private static String path(Random random) {
		StringBuilder path = new StringBuilder(name(random));
		for (int depth = random.nextInt(3); depth > 0; depth--) {
			path.append('/').append(name(random));
		}
		return path.toString();
	}

	private static String name(Random random) {
		return NAMES.get(random.nextInt(NAMES.size()));
	}

	private static Map<String, String> entries(WorkspaceFiles files) {
		Map<String, String> entries = new TreeMap<>();
		for (FileInfo entry : files.list(files.root(), Integer.MAX_VALUE).value().entries()) {
			entries.put(entry.path().relative(),
					(entry.type() == FileType.DIRECTORY) ? "directory"
							: "file " + new String(
									files.read(entry.path(), 0, Math.toIntExact(entry.size())).value().bytes(),
									StandardCharsets.ISO_8859_1));
		}
		return entries;
	}

	/**
	 * A call.
	 *
	 * @param call the call
	 * @param applies whether it should succeed
	 */
	private record Step(ToolCall call, boolean applies) {

	}

}
