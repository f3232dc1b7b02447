package io.kairo.api.workspace;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/**
 * A minimal store for the String methods of {@link WorkspaceFiles}: a map from paths to
 * bytes with a configurable file size. Supports writes and compare-exchange.
 */
class MapWorkspaceFiles implements WorkspaceFiles {

	private final TreeMap<String, byte[]> files = new TreeMap<>(WorkspacePath.PATH_COMPARATOR);

	private final List<WorkspaceChange> changes = new ArrayList<>();

	private long claimedSize = -1;

	MapWorkspaceFiles with(String path, byte[] content) {
		this.files.put(path, content);
		return this;
	}

	MapWorkspaceFiles with(String path, String content) {
		return with(path, content.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Makes every file report a size that differs from its bytes.
	 */
	MapWorkspaceFiles claiming(long size) {
		this.claimedSize = size;
		return this;
	}

	List<WorkspaceChange> changes() {
		return this.changes;
	}

	@Override
	public WorkspacePath root() {
		return new WorkspacePath(Path.of("/project"), "");
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		return new WorkspacePath(cwd.root(), WorkspacePath.canonicalize(argument));
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		byte[] content = this.files.get(path.relative());
		if (content == null) {
			return missing(path);
		}
		int end = (int) Math.min(content.length, offset + length);
		return WorkspaceResult
			.ok(new FileContent(path, Arrays.copyOfRange(content, (int) offset, end), offset, size(content), "v"));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		byte[] content = this.files.get(path.relative());
		if (content != null) {
			return WorkspaceResult.ok(entry(path, FileType.FILE, size(content)));
		}
		boolean directory = this.files.keySet()
			.stream()
			.map((file) -> new WorkspacePath(path.root(), file))
			.anyMatch((file) -> file.startsWith(path));
		return directory ? WorkspaceResult.ok(entry(path, FileType.DIRECTORY, 0)) : missing(path);
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		int above = directory.isRoot() ? 0 : directory.relative().split("/").length;
		List<FileInfo> entries = this.files.keySet()
			.stream()
			.map((file) -> new WorkspacePath(directory.root(), file))
			.filter((file) -> file.startsWith(directory) && file.relative().split("/").length <= above + depth)
			.map((file) -> entry(file, FileType.FILE, 0))
			.toList();
		return WorkspaceResult.ok(new FileListing(directory, entries, 0));
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		List<String> backwards = new ArrayList<>(this.files.descendingKeySet());
		for (String file : backwards) {
			visit(new WorkspacePath(directory.root(), file), visitor);
		}
		return WorkspaceResult.ok(new WalkReport(backwards.size(), 1, 0, 0, 0, false));
	}

	private void visit(WorkspacePath path, WorkspaceVisitor visitor) {
		try {
			visitor.file(new MapEntry(path));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		this.changes.add(change);
		if (change instanceof WorkspaceChange.Write write) {
			this.files.put(write.path().relative(), write.content());
			return applied(write.path(), true);
		}
		WorkspaceChange.CompareExchange exchange = (WorkspaceChange.CompareExchange) change;
		byte[] content = this.files.get(exchange.path().relative());
		if (content == null) {
			return missing(exchange.path());
		}
		boolean same = Arrays.equals(content, exchange.expected());
		if (same) {
			this.files.put(exchange.path().relative(), exchange.content());
		}
		return applied(exchange.path(), same);
	}

	private long size(byte[] content) {
		return (this.claimedSize < 0) ? content.length : this.claimedSize;
	}

	private static FileInfo entry(WorkspacePath path, FileType type, long size) {
		return new FileInfo(path, type, size, Instant.EPOCH, null, null);
	}

	private static WorkspaceResult<ChangeReport> applied(WorkspacePath path, boolean applied) {
		return WorkspaceResult.ok(new ChangeReport(List.of(new ChangeReport.Line(path, applied, "v"))));
	}

	private static <T> WorkspaceResult<T> missing(WorkspacePath path) {
		return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND,
				WorkspacePath.quote(path.relative()) + " is not there");
	}

	private record MapEntry(WorkspacePath path) implements WorkspaceVisitor.Entry {

		@Override
		public long size() {
			return 0;
		}

		@Override
		public Instant modified() {
			return Instant.EPOCH;
		}

		@Override
		public int read(byte[] buffer, long offset) {
			return -1;
		}

	}

}
