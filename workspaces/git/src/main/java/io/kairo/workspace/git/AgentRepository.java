package io.kairo.workspace.git;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.InflaterInputStream;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.eclipse.jgit.lib.AnyObjectId;
import org.eclipse.jgit.lib.CommitBuilder;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.TreeFilter;
import org.jspecify.annotations.Nullable;

/**
 * The agent's repository among the files of a checkout. A commit of the history is
 * recorded in it, so that the agent's own {@code git status} does not show the committed
 * changes again. All of its files are opened by the store, so that no link out of the
 * checkout is followed, and none is evaluated except the position of {@code HEAD}. For
 * use by one thread at a time.
 */
final class AgentRepository {

	private static final Logger logger = System.getLogger(AgentRepository.class.getName());

	private static final Pattern ID = Pattern.compile("[0-9a-f]{40}");

	private static final Pattern BRANCH = Pattern.compile("ref: (refs/heads/[^\\n]+)\\n?");

	private static final Pattern TREE = Pattern.compile("\\Acommit \\d+\\x00tree ([0-9a-f]{40})\\n");

	/** Files that exist while a program changes the repository, or needs a decision. */
	private static final List<String> BUSY = List.of("index.lock", "HEAD.lock", "MERGE_HEAD", "CHERRY_PICK_HEAD",
			"REVERT_HEAD", "rebase-merge", "rebase-apply");

	/** Maximum number of bytes of an object to copy. */
	private static final int MAX_OBJECT = 64 << 20;

	private static final int MAX_TEXT = 16 << 20;

	private final Supplier<WorkspaceFiles> files;

	private final Path provider;

	/** The last commit of the history that this repository has the objects of. */
	private ObjectId known;

	/**
	 * Creates the repository.
	 * @param files opens the files of the checkout
	 * @param provider the directory of the provider's repository
	 * @param acquired the commit that was checked out
	 */
	AgentRepository(Supplier<WorkspaceFiles> files, Path provider, ObjectId acquired) {
		this.files = files;
		this.provider = provider;
		this.known = acquired;
	}

	/**
	 * Records a commit of the history on the branch of the agent. The branch moves to the
	 * commit itself if it was at its parent; otherwise it gets a commit with the same
	 * files. Nothing is done while the agent merges or rebases, or if its repository is
	 * not as Git leaves it; the commit of the history is not affected.
	 * @param repository the repository of the provider, with the files of the commit in
	 * its index
	 * @param commit the commit
	 */
	void record(Repository repository, ObjectId commit) {
		try (RevWalk walk = new RevWalk(repository)) {
			new Recording(this.files.get(), repository, walk).record(walk.parseCommit(commit));
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "A commit was not recorded in the repository of the agent", ex);
		}
	}

	/**
	 * The recording of one commit.
	 */
	private final class Recording {

		private final WorkspaceFiles files;

		private final Repository repository;

		private final RevWalk walk;

		Recording(WorkspaceFiles files, Repository repository, RevWalk walk) {
			this.files = files;
			this.repository = repository;
			this.walk = walk;
		}

		void record(RevCommit commit) throws IOException {
			String head = text("HEAD");
			if (head == null || BUSY.stream().anyMatch(this::exists)) {
				return;
			}
			Matcher matcher = BRANCH.matcher(head);
			String branch = matcher.matches() ? matcher.group(1) : null;
			String position = (branch != null) ? branch : "HEAD";
			if ((branch != null && !Repository.isValidRefName(branch)) || exists(position + ".lock")) {
				return;
			}
			ObjectId current = (branch != null) ? branch(position) : id(head);
			if (current == null) {
				return;
			}
			copyObjects(commit);
			if (current.equals(commit.getParent(0))) {
				write(position, bytes(commit.name() + "\n"));
			}
			else {
				ObjectId tree = treeOf(current);
				if (tree == null) {
					return;
				}
				if (!tree.equals(commit.getTree())) {
					write(position, bytes(commitOn(current, commit).name() + "\n"));
				}
			}
			write("index", Files.readAllBytes(AgentRepository.this.provider.resolve("index")));
		}

		private @Nullable ObjectId branch(String name) {
			String loose = text(name);
			if (loose != null) {
				return id(loose);
			}
			String packed = text("packed-refs");
			return (packed == null) ? null
					: packed.lines()
						.filter((line) -> line.endsWith(" " + name) && line.length() == name.length() + 41)
						.map((line) -> id(line.substring(0, 40)))
						.findFirst()
						.orElse(null);
		}

		/**
		 * Returns the tree of a commit of the agent.
		 * @return null if the commit is neither in the store nor a file of its own
		 */
		private @Nullable ObjectId treeOf(ObjectId commit) throws IOException {
			if (this.repository.getObjectDatabase().has(commit)) {
				return this.walk.parseCommit(commit).getTree().copy();
			}
			byte[] packed = content(loose(commit), MAX_TEXT);
			if (packed == null) {
				return null;
			}
			try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
				Matcher matcher = TREE.matcher(new String(in.readNBytes(100), StandardCharsets.ISO_8859_1));
				return matcher.find() ? ObjectId.fromString(matcher.group(1)) : null;
			}
		}

		/**
		 * Makes a commit of the agent's branch with the files, the author and the message
		 * of a commit of the history.
		 */
		private ObjectId commitOn(ObjectId parent, RevCommit commit) throws IOException {
			CommitBuilder builder = new CommitBuilder();
			builder.setTreeId(commit.getTree());
			builder.setParentId(parent);
			builder.setAuthor(commit.getAuthorIdent());
			builder.setCommitter(commit.getCommitterIdent());
			builder.setMessage(commit.getFullMessage());
			try (ObjectInserter inserter = this.repository.newObjectInserter()) {
				ObjectId id = inserter.insert(builder);
				inserter.flush();
				copy(id);
				return id;
			}
		}

		/**
		 * Copies the objects of the history that the repository does not have.
		 */
		private void copyObjects(RevCommit commit) throws IOException {
			List<RevCommit> missing = new ArrayList<>();
			for (RevCommit each = commit; !each.equals(AgentRepository.this.known); each = this.walk
				.parseCommit(each.getParent(0))) {
				missing.add(0, each);
			}
			for (RevCommit each : missing) {
				copyDifference(this.walk.parseCommit(each.getParent(0)), each);
				copy(each);
				AgentRepository.this.known = each.copy();
			}
		}

		private void copyDifference(RevCommit parent, RevCommit commit) throws IOException {
			copy(commit.getTree());
			try (TreeWalk tree = new TreeWalk(this.repository)) {
				tree.addTree(parent.getTree());
				tree.addTree(commit.getTree());
				tree.setFilter(TreeFilter.ANY_DIFF);
				while (tree.next()) {
					if (tree.getRawMode(1) != 0 && !FileMode.GITLINK.equals(tree.getRawMode(1))) {
						copy(tree.getObjectId(1));
					}
					if (tree.isSubtree()) {
						tree.enterSubtree();
					}
				}
			}
		}

		/**
		 * Copies an object, unless it is in the store that both repositories borrow from.
		 */
		private void copy(AnyObjectId id) throws IOException {
			Path object = AgentRepository.this.provider.resolve(loose(id));
			if (Files.exists(object) && !exists(loose(id))) {
				if (Files.size(object) > MAX_OBJECT) {
					throw new IOException("an object has more than " + MAX_OBJECT + " bytes");
				}
				write(loose(id), Files.readAllBytes(object));
			}
		}

		private WorkspacePath path(String name) {
			return new WorkspacePath(this.files.root().root(), ".git/" + name);
		}

		private boolean exists(String name) {
			return this.files.info(path(name)).isOk();
		}

		private @Nullable String text(String name) {
			byte[] content = content(name, MAX_TEXT);
			return (content != null) ? new String(content, StandardCharsets.UTF_8) : null;
		}

		private byte @Nullable [] content(String name, int max) {
			WorkspaceResult<FileContent> content = this.files.read(path(name), 0, max);
			return content.isOk() ? content.value().bytes() : null;
		}

		private void write(String name, byte[] content) throws IOException {
			if (this.files
				.apply(new WorkspaceChange.Write(path(name), content)) instanceof WorkspaceResult.Failure<?> failure) {
				throw new IOException(failure.message());
			}
		}

	}

	private static String loose(AnyObjectId id) {
		return "objects/" + id.name().substring(0, 2) + "/" + id.name().substring(2);
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	private static @Nullable ObjectId id(String text) {
		String stripped = text.strip();
		return ID.matcher(stripped).matches() ? ObjectId.fromString(stripped) : null;
	}

}
