package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.treewalk.AbstractTreeIterator;
import org.eclipse.jgit.treewalk.WorkingTreeIterator;
import org.eclipse.jgit.treewalk.WorkingTreeOptions;

/**
 * A JGit iterator over the files of a checkout. A path is a submodule if the commit has
 * one there, regardless of its present content; no other path is a submodule.
 */
final class ConfinedTreeIterator extends WorkingTreeIterator {

	private final ConfinedTree tree;

	private final List<Path> directory;

	private final Map<String, ObjectId> submodules;

	ConfinedTreeIterator(Repository repository, ConfinedTree tree, Map<String, ObjectId> submodules)
			throws IOException {
		super(repository.getConfig().get(WorkingTreeOptions.KEY));
		this.tree = tree;
		this.directory = List.of();
		this.submodules = submodules;
		initRootIterator(repository);
		init(entries());
	}

	private ConfinedTreeIterator(ConfinedTreeIterator parent, Path name) throws IOException {
		super(parent);
		this.tree = parent.tree;
		List<Path> below = new ArrayList<>(parent.directory);
		below.add(name);
		this.directory = List.copyOf(below);
		this.submodules = parent.submodules;
		init(entries());
	}

	private Entry[] entries() throws IOException {
		String prefix = this.directory.stream().map((name) -> name + "/").collect(Collectors.joining());
		return this.tree.list(this.directory)
			.stream()
			.map((entry) -> (entry.getMode() == FileMode.TREE && this.submodules.containsKey(prefix + entry.getName()))
					? entry.asSubmodule() : entry)
			.toArray(Entry[]::new);
	}

	@Override
	public AbstractTreeIterator createSubtreeIterator(ObjectReader reader) throws IOException {
		return new ConfinedTreeIterator(this, Path.of(current().getName()));
	}

	@Override
	protected byte[] idSubmodule(Entry entry) {
		byte[] id = new byte[Constants.OBJECT_ID_LENGTH];
		this.submodules.getOrDefault(getEntryPathString(), ObjectId.zeroId()).copyRawTo(id, 0);
		return id;
	}

	@Override
	protected String readSymlinkTarget(Entry entry) throws IOException {
		return ((TreeEntry) entry).target();
	}

}
