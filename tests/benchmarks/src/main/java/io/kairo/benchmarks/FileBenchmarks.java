package io.kairo.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.benchmarks.Comparison.Sides;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadTool;

/**
 * The disk store beside {@link Files}.
 *
 * @param sizes the amount of work
 */
record FileBenchmarks(Sizes sizes) {

	private static final int SMALL_FILE = 10_000;

	List<Comparison> comparisons() {
		return List.of(
				new Comparison("open a/b/c/tiny.txt confined and read 16 bytes", "FileChannel", 1.2,
						(scratch) -> read(scratch, "tiny.txt", 16)),
				new Comparison("read 10 KB with its version", "Files.readAllBytes", 1.5,
						(scratch) -> read(scratch, "small.txt", SMALL_FILE)),
				new Comparison("Read 2,000 lines in the middle of 10 MB", "one scan of the bytes", 1.1, this::window),
				new Comparison("write 10 KB: atomic, durable, journalled", "temporary file, force, rename", 3,
						this::smallWrite),
				new Comparison("write 10 MB: atomic, durable, journalled", "Files.copy", 3, this::largeWrite),
				new Comparison("Edit 10 MB: atomic, durable, journalled", "Files.copy", 3, this::edit),
				new Comparison("walk %,d files".formatted(this.sizes.treeFiles()), "find -type f", 0.8, this::walk));
	}

	private Sides read(Scratch scratch, String name, int length) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		String path = "a/b/c/" + name;
		Path file = store.directory().resolve(path);
		Files.createDirectories(file.getParent());
		Files.write(file, lines(length));
		return new Sides(Work.of(() -> store.files().read(store.path(path), 0, length).value().bytes()),
				Work.of((length == SMALL_FILE) ? () -> Files.readAllBytes(file) : () -> {
					ByteBuffer buffer = ByteBuffer.allocate(length);
					try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
						channel.read(buffer);
					}
					return buffer.array();
				}));
	}

	private Sides window(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		Path file = Files.write(store.directory().resolve("large.txt"), lines(this.sizes.fileBytes()));
		int lines = (int) countLines(file);
		ReadTool tool = new ReadTool();
		Map<String, Object> arguments = Map.of("file_path", "large.txt", "offset", lines / 2, "limit", 2000);
		return new Sides(Work.of(() -> tool.call(arguments, store.context()).data().get("totalLines")),
				Work.of(() -> countLines(file)));
	}

	private Sides smallWrite(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		byte[] content = lines(SMALL_FILE);
		Path temporary = store.directory().resolve("plain.tmp");
		Path target = store.directory().resolve("plain.txt");
		return new Sides(write(store, content), Work.of(() -> {
			try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW,
					StandardOpenOption.WRITE)) {
				channel.write(ByteBuffer.wrap(content));
				channel.force(true);
			}
			return Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
		}).comparing(Files::readAllBytes));
	}

	private Sides largeWrite(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		byte[] content = lines(this.sizes.fileBytes());
		return new Sides(write(store, content), copy(store, content).comparing(Files::readAllBytes));
	}

	private static Work<?> write(DiskStore store, byte[] content) {
		return Work
			.of(() -> store.files().apply(new WorkspaceChange.Write(store.path("written.txt"), content, null)).value())
			.comparing((written) -> Files.readAllBytes(store.directory().resolve("written.txt")));
	}

	private static Work<Path> copy(DiskStore store, byte[] content) throws IOException {
		Path source = Files.write(store.directory().resolve("source.txt"), content);
		Path target = store.directory().resolve("copy.txt");
		return Work.of(() -> Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING));
	}

	private Sides edit(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		byte[] content = lines(this.sizes.fileBytes());
		System.arraycopy("needle".getBytes(StandardCharsets.US_ASCII), 0, content, content.length / 2, 6);
		Path edited = Files.write(store.directory().resolve("edited.txt"), content);
		EditTool tool = new EditTool(EditOptions.defaults());
		ToolContext context = store.context();
		AtomicBoolean upper = new AtomicBoolean();
		return new Sides(Work.of(() -> {
			boolean lower = upper.getAndSet(!upper.get());
			ToolResult result = tool.call(Map.of("file_path", "edited.txt", "old_string", lower ? "NEEDLE" : "needle",
					"new_string", lower ? "needle" : "NEEDLE"), context);
			if (result.error() != null) {
				throw new IllegalStateException(result.text());
			}
			return edited;
		}).comparing(Files::size), copy(store, content).comparing(Files::size));
	}

	private Sides walk(Scratch scratch) throws IOException {
		DiskStore store = DiskStore.in(scratch);
		Path tree = scratch.tree("files/tree", this.sizes.treeFiles());
		WorkspacePath start = store.path("tree");
		return new Sides(Work.of(() -> {
			LongAdder count = new LongAdder();
			store.files().walk(start, new CountFiles(count)).value();
			return count.sum();
		}), Work.of(() -> Commands.countLines("find", tree.toString(), "-type", "f")));
	}

	/**
	 * Returns text of a given size with lines of 40 bytes, the first of which may be
	 * shorter.
	 */
	private static byte[] lines(int bytes) {
		String lines = ("x".repeat(39) + "\n").repeat(bytes / 40 + 1);
		return lines.substring(lines.length() - bytes).getBytes(StandardCharsets.US_ASCII);
	}

	private static long countLines(Path file) throws IOException {
		try (InputStream input = Files.newInputStream(file)) {
			return Commands.countLines(input);
		}
	}

	private record CountFiles(LongAdder count) implements WorkspaceVisitor {

		@Override
		public Next directory(WorkspacePath directory) {
			return Next.CONTINUE;
		}

		@Override
		public Next file(Entry file) {
			this.count.increment();
			return Next.CONTINUE;
		}

	}

}
