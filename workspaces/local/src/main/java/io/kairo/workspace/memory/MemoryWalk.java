package io.kairo.workspace.memory;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WorkspaceVisitor.Next;

/**
 * Visits entries as they were at the start of the walk, the files of a directory before
 * its directories. No lock is held while the visitor is called.
 */
final class MemoryWalk {

	private final Path root;

	private final String start;

	private final WorkspaceVisitor visitor;

	private final Map<String, List<MemoryNode>> children = new TreeMap<>(WorkspacePath.PATH_COMPARATOR);

	private long files;

	private long directories;

	private long unreadable;

	private boolean stopped;

	MemoryWalk(Path root, String start, List<MemoryNode> nodes, WorkspaceVisitor visitor) {
		this.root = root;
		this.start = start;
		this.visitor = visitor;
		for (MemoryNode node : nodes) {
			String parent = new WorkspacePath(root, node.path()).parent().relative();
			this.children.computeIfAbsent(parent, (missing) -> new ArrayList<>()).add(node);
		}
	}

	WalkReport walk() {
		visit(this.start);
		return new WalkReport(this.files, this.directories, 0, 0, this.unreadable, this.stopped);
	}

	private void visit(String directory) {
		Next next = this.visitor.directory(new WorkspacePath(this.root, directory));
		this.stopped |= (next == Next.STOP);
		if (next != Next.CONTINUE) {
			return;
		}
		this.directories++;
		List<MemoryNode> entries = this.children.getOrDefault(directory, List.of());
		for (MemoryNode node : entries) {
			byte[] content = node.content();
			if (content != null && !visitFile(node, content)) {
				return;
			}
		}
		for (MemoryNode node : entries) {
			if (!node.isFile() && !this.stopped) {
				visit(node.path());
			}
		}
	}

	/**
	 * Visits a file.
	 * @return whether to continue with its directory
	 */
	private boolean visitFile(MemoryNode node, byte[] content) {
		MemoryEntry entry = new MemoryEntry(new WorkspacePath(this.root, node.path()), content, node.modified());
		try {
			Next next = this.visitor.file(entry);
			this.files++;
			this.stopped |= (next == Next.STOP);
			return next == Next.CONTINUE;
		}
		catch (IOException ex) {
			this.unreadable++;
			return true;
		}
		finally {
			entry.end();
		}
	}

}
