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

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.tools.AgentSession;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;

/**
 * The disk store beside {@link Files}.
 */
final class FileBenchmarks {

	private static final int SMALL_FILE = 10_000;

	private final Sizes sizes;

	private final Path directory;

	private final Path tree;

	private final Workspace workspace;

	private final WorkspaceFiles files;

	FileBenchmarks(Scratch scratch, Sizes sizes) throws IOException {
		this.sizes = sizes;
		this.directory = scratch.directory("files");
		this.tree = scratch.tree("files/tree", sizes.treeFiles());
		this.workspace = new LocalDirectoryWorkspaceProvider(this.directory)
			.acquire(new WorkspaceRequest(null, TenantContext.SINGLE, true));
		LocalFilesOptions options = LocalFilesOptions.DEFAULTS.withStateDirectory(scratch.directory("state"));
		this.files = new LocalWorkspaceFilesFactory(options).open(this.workspace);
	}

	List<Comparison> comparisons() throws IOException {
		return List.of(open(), read(), window(), smallWrite(), largeWrite(), edit(), walk());
	}

	private Comparison open() throws IOException {
		Path file = Files.createDirectories(this.directory.resolve("a/b/c")).resolve("tiny.txt");
		Files.writeString(file, "0123456789abcdef");
		return new Comparison("open a/b/c/tiny.txt and read 16 bytes", "FileChannel", 10,
				() -> read("a/b/c/tiny.txt", 16), () -> {
					ByteBuffer buffer = ByteBuffer.allocate(16);
					try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
						channel.read(buffer);
					}
					return buffer.array();
				});
	}

	private Comparison read() throws IOException {
		Path file = this.directory.resolve("a/b/c/small.txt");
		Files.write(file, lines(SMALL_FILE));
		return new Comparison("read 10 KB, with version", "Files.readAllBytes", 10,
				() -> read("a/b/c/small.txt", SMALL_FILE), () -> Files.readAllBytes(file));
	}

	private byte[] read(String path, int length) {
		return this.files.read(resolve(path), 0, length).value().bytes();
	}

	private Comparison window() throws IOException {
		Path file = this.directory.resolve("large.txt");
		byte[] content = lines(this.sizes.fileBytes());
		Files.write(file, content);
		ReadTool tool = new ReadTool();
		int lines = (int) countLines(file);
		Map<String, Object> arguments = Map.of("file_path", "large.txt", "offset", lines / 2, "limit", 2000);
		return new Comparison("Read 2000 lines in the middle of 10 MB", "one scan of the bytes", 1.1, () -> {
			return Objects.requireNonNull(tool.call(arguments, context()).data().get("totalLines"));
		}, () -> countLines(file));
	}

	private Comparison smallWrite() throws IOException {
		byte[] content = lines(SMALL_FILE);
		Path temporary = this.directory.resolve("plain.tmp");
		Path target = this.directory.resolve("plain.txt");
		return new Comparison("write 10 KB: atomic, durable, journalled", "temporary file, force, rename", 3, () -> {
			this.files.apply(new WorkspaceChange.Write(resolve("small.txt"), content, null)).value();
			return content.length;
		}, () -> {
			try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW,
					StandardOpenOption.WRITE)) {
				channel.write(ByteBuffer.wrap(content));
				channel.force(true);
			}
			Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
			return content.length;
		});
	}

	private Comparison largeWrite() throws IOException {
		byte[] content = lines(this.sizes.fileBytes());
		Path source = this.directory.resolve("large.txt");
		Path target = this.directory.resolve("large-copy.txt");
		return new Comparison("write 10 MB: atomic, durable, journalled", "Files.copy", 3, () -> {
			this.files.apply(new WorkspaceChange.Write(resolve("large-written.txt"), content, null)).value();
			return Files.size(this.directory.resolve("large-written.txt"));
		}, () -> {
			Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
			return Files.size(target);
		});
	}

	private Comparison edit() throws IOException {
		byte[] content = lines(this.sizes.fileBytes());
		Path source = this.directory.resolve("large.txt");
		Path target = this.directory.resolve("large-copy.txt");
		Path edited = this.directory.resolve("edited.txt");
		System.arraycopy("needle".getBytes(StandardCharsets.US_ASCII), 0, content, content.length / 2, 6);
		Files.write(edited, content);
		EditTool tool = new EditTool(EditOptions.defaults());
		ToolContext context = context();
		AtomicBoolean found = new AtomicBoolean();
		return new Comparison("Edit 10 MB: atomic, durable, journalled", "Files.copy", 3, () -> {
			boolean other = found.getAndSet(!found.get());
			ToolResult result = tool.call(Map.of("file_path", "edited.txt", "old_string", other ? "NEEDLE" : "needle",
					"new_string", other ? "needle" : "NEEDLE"), context);
			if (result.error() != null) {
				throw new IllegalStateException(result.text());
			}
			return Files.size(edited);
		}, () -> {
			Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
			return Files.size(target);
		});
	}

	private ToolContext context() {
		return ToolContext.builder(this.workspace)
			.session(new AgentSession(null, TenantContext.SINGLE, this.workspace))
			.files(this.files)
			.build();
	}

	private Comparison walk() {
		WorkspacePath start = resolve("tree");
		return new Comparison("walk " + this.sizes.treeFiles() + " files", "find -type f", 1.5, () -> {
			LongAdder count = new LongAdder();
			this.files.walk(start, new CountFiles(count)).value();
			return count.sum();
		}, () -> Commands.countLines("find", this.tree.toString(), "-type", "f"));
	}

	private WorkspacePath resolve(String path) {
		return this.files.resolve(path, this.files.root());
	}

	/**
	 * Text of a given size, with lines of 40 bytes.
	 */
	private static byte[] lines(int bytes) {
		String line = "x".repeat(39) + "\n";
		return line.repeat(bytes / line.length()).getBytes(StandardCharsets.US_ASCII);
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
