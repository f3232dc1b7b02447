package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.jspecify.annotations.Nullable;

/**
 * Writes the two repositories of a checkout. The repository beside the files belongs to
 * the provider: it compares, commits and pushes with it. The repository among the files
 * belongs to the agent, with its own configuration, hooks and index, and is never read by
 * the provider. Both borrow the objects of the store. The store has no reference to them.
 */
final class CheckoutRepositories {

	/** Attributes that make both clients write and read the bytes of the repository. */
	private static final String PLAIN = "* -filter -ident -working-tree-encoding\n";

	private static final String ALTERNATES = "objects/info/alternates";

	private final Path store;

	private final RemoteUrl remote;

	private final FoundCommit commit;

	CheckoutRepositories(Path store, RemoteUrl remote, FoundCommit commit) {
		this.store = store;
		this.remote = remote;
		this.commit = commit;
	}

	/**
	 * Writes the repository beside the files.
	 */
	void writeProviderRepository(Path directory) throws IOException {
		write(directory, "[http]\n\tfollowRedirects = false\n");
		Files.writeString(directory.resolve("HEAD"), this.commit.id() + "\n");
		Files.writeString(directory.resolve("info/attributes"), PLAIN);
	}

	/**
	 * Writes the repository among the files.
	 * @param index the initial index
	 */
	void writeAgentRepository(Path directory, Path index, GitAuthor author) throws IOException {
		String branch = this.commit.branch();
		write(directory,
				"""
						[remote "origin"]
							url = %s
							fetch = +refs/heads/*:refs/remotes/origin/*
						[user]
							name = %s
							email = %s
						""".formatted(quoted(this.remote.text()), quoted(author.name()), quoted(author.email()))
						+ ((branch == null) ? "" : "[branch %s]\n\tremote = origin\n\tmerge = %s\n"
							.formatted(quoted(branch), quoted("refs/heads/" + branch))));
		Files.writeString(directory.resolve("HEAD"),
				(branch != null) ? "ref: refs/heads/" + branch + "\n" : this.commit.id() + "\n");
		Files.writeString(directory.resolve("packed-refs"), packedRefs());
		Files.copy(index, directory.resolve("index"));
	}

	private void write(Path directory, String configuration) throws IOException {
		for (String child : List.of("objects/info", "objects/pack", "refs/heads", "refs/tags", "info")) {
			Files.createDirectories(directory.resolve(child));
		}
		Files.writeString(directory.resolve(ALTERNATES), this.store.resolve("objects") + "\n");
		Files.writeString(directory.resolve("config"), """
				[core]
					repositoryformatversion = 0
					filemode = true
					bare = false
					symlinks = true
					logallrefupdates = true
				[gc]
					auto = 0
				""" + configuration);
		Path shallow = this.store.resolve("shallow");
		if (Files.exists(shallow)) {
			Files.copy(shallow, directory.resolve("shallow"));
		}
	}

	/**
	 * Returns the directories of the objects that a repository borrows, none if it does
	 * not exist yet.
	 */
	static List<String> alternates(Path gitDirectory) throws IOException {
		try {
			return Files.readAllLines(gitDirectory.resolve(ALTERNATES));
		}
		catch (NoSuchFileException ex) {
			return List.of();
		}
	}

	private String packedRefs() throws IOException {
		StringBuilder text = new StringBuilder("# pack-refs with: peeled \n");
		try (Repository repository = new IsolatedRepository(this.store, null)) {
			String branch = this.commit.branch();
			if (branch != null) {
				append(text, ObjectId.fromString(this.commit.id()), "refs/heads/" + branch);
			}
			for (Ref ref : repository.getRefDatabase().getRefsByPrefix("refs/heads/")) {
				append(text, ref.getObjectId(),
						"refs/remotes/origin/" + ref.getName().substring("refs/heads/".length()));
			}
			for (Ref ref : repository.getRefDatabase().getRefsByPrefix("refs/tags/")) {
				append(text, ref.getObjectId(), ref.getName());
			}
		}
		return text.toString();
	}

	private static void append(StringBuilder text, @Nullable ObjectId id, String name) {
		if (id != null) {
			text.append(id.name()).append(' ').append(name).append('\n');
		}
	}

	private static String quoted(String value) {
		return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
	}

}
