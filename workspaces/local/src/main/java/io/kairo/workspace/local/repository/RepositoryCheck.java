package io.kairo.workspace.local.repository;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.disk.handle.StuckOpenException;
import io.kairo.workspace.local.repository.GitConfig.Setting;
import io.kairo.workspace.local.repository.RepositoryState.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A check of the repository in a root after commands. Settings that the configuration had
 * before stay. Settings added by commands are removed unless they are
 * {@linkplain GitSettings harmless}. If there was no repository, hooks and files that
 * make Git read another configuration are removed too. Removed content stays in the
 * directory under another name. For use by one thread.
 */
final class RepositoryCheck {

	/** Maximum size of a configuration. */
	private static final int MAX_BYTES = 1 << 20;

	private static final Path GIT = Path.of(".git");

	private static final Path CONFIG = Path.of("config");

	private static final Path HEAD = Path.of("HEAD");

	private static final Path HOOKS = Path.of("hooks");

	private static final Path COMMONDIR = Path.of("commondir");

	private static final List<Path> REDIRECTS = List.of(COMMONDIR, Path.of("config.worktree"));

	private static final String RESTORED = " (put back)";

	private static final String REMOVED = "kairo-removed-%d-";

	private static final int OWNER = 0700;

	private static final int MODE = 07777;

	private final RepositoryState before;

	private final DirectoryOpener opener;

	private final Set<String> removed = new LinkedHashSet<>();

	/**
	 * Creates a check.
	 * @param before the last state that is known to be good
	 * @param opener opens the root
	 */
	RepositoryCheck(RepositoryState before, DirectoryOpener opener) {
		this.before = before;
		this.opener = opener;
	}

	/**
	 * Returns the state of a root before commands.
	 */
	static RepositoryState examine(Path root, DirectoryOpener opener) {
		String key = "";
		try (OpenDirectory directory = opener.open(root)) {
			key = key(directory);
			if (isBare(directory)) {
				return new RepositoryState(root, key, Kind.READ_ONLY);
			}
			if (directory.find(GIT) == null) {
				return new RepositoryState(root, key, Kind.NEW);
			}
			try (OpenDirectory git = directory.directory(GIT)) {
				byte[] config = read(git);
				if (config != null && GitConfig.parse(config) != null && git.find(COMMONDIR) == null) {
					return new RepositoryState(root, key, Kind.EXISTING, config);
				}
				return new RepositoryState(root, key, git.names().hasNext() ? Kind.READ_ONLY : Kind.NEW);
			}
		}
		catch (IOException | DirectoryIteratorException ex) {
			// a configuration that is unreadable now could not be checked later
			return new RepositoryState(root, key, Kind.READ_ONLY);
		}
	}

	/**
	 * Removes settings and files that commands may not leave.
	 * @return the state after that
	 * @throws IOException if not everything could be checked
	 */
	RepositoryState run() throws IOException {
		try {
			return check();
		}
		catch (AccessDeniedException ex) {
			grant(this.before.root());
			grant(this.before.root().resolve(GIT));
			return check();
		}
	}

	/**
	 * Returns the names of the removed or restored entries.
	 */
	Set<String> removed() {
		return this.removed;
	}

	private RepositoryState check() throws IOException {
		try (OpenDirectory directory = this.opener.open(this.before.root())) {
			if (!key(directory).equals(this.before.key())) {
				throw new IOException("The directory was replaced");
			}
			if (this.before.kind() == Kind.NEW && isBare(directory)) {
				setAside(directory, HEAD, "HEAD.removed-by-kairo-%d", "HEAD, which made the root a repository");
			}
			BasicFileAttributes git = directory.find(GIT);
			if (git != null && git.isDirectory()) {
				try (OpenDirectory opened = directory.directory(GIT)) {
					return check(opened);
				}
			}
			if (git != null) {
				setAside(directory, GIT, ".git.removed-by-kairo-%d", ".git, which was no directory");
			}
			return new RepositoryState(this.before.root(), this.before.key(), Kind.NEW);
		}
	}

	private RepositoryState check(OpenDirectory git) throws IOException {
		if (this.before.kind() == Kind.NEW) {
			for (Path name : REDIRECTS) {
				if (git.find(name) != null) {
					setAside(git, name, REMOVED + name, name.toString());
				}
			}
			String hook = hook(git);
			if (hook != null) {
				setAside(git, HOOKS, REMOVED + HOOKS, hook);
			}
		}
		byte[] old = this.before.config();
		byte[] now = read(git);
		if (now != null && Arrays.equals(now, old)) {
			return this.before;
		}
		GitConfig config = (now != null) ? GitConfig.parse(now) : null;
		byte[] kept = (now != null && config != null) ? merge(now, config, (old != null) ? old : new byte[0]) : old;
		if (kept != now || now == null) {
			if (git.find(CONFIG) != null) {
				setAside(git, CONFIG, REMOVED + CONFIG, (config == null) ? "config, which was not valid" : null);
			}
			else if (kept != null) {
				this.removed.add("config" + RESTORED);
			}
			if (kept != null) {
				write(git, kept);
			}
		}
		return new RepositoryState(this.before.root(), this.before.key(), this.before.kind(), kept);
	}

	/**
	 * Returns a hook, or the directory of hooks if it is none or cannot be read.
	 * @return null if there are only samples
	 */
	private static @Nullable String hook(OpenDirectory git) throws IOException {
		BasicFileAttributes attributes = git.find(HOOKS);
		if (attributes == null || !attributes.isDirectory()) {
			return (attributes != null) ? "hooks" : null;
		}
		try (OpenDirectory hooks = git.directory(HOOKS)) {
			Iterable<Path> names = hooks::names;
			for (Path name : names) {
				if (!name.toString().endsWith(".sample")) {
					return "hooks/" + name;
				}
			}
			return null;
		}
		catch (IOException | DirectoryIteratorException ex) {
			return "hooks";
		}
	}

	/**
	 * Returns the content that the configuration may have: the present content, or the
	 * previous content with the added harmless settings.
	 */
	private byte[] merge(byte[] now, GitConfig config, byte[] old) {
		GitConfig base = Objects.requireNonNull(GitConfig.parse(old));
		Set<String> baseRemotes = GitSettings.remotes(base.settings(), base.settings());
		Set<Setting> owned = new LinkedHashSet<>(base.settings());
		owned.removeIf((each) -> GitSettings.isHarmless(each, baseRemotes));
		Set<String> names = owned.stream().map(Setting::name).collect(Collectors.toSet());
		Set<String> remotes = GitSettings.remotes(config.settings(), owned);
		remotes.addAll(GitSettings.remotes(owned, owned));
		List<Setting> kept = config.settings()
			.stream()
			.filter((each) -> names.contains(each.name()) ? owned.contains(each)
					: GitSettings.isHarmless(each, remotes))
			.toList();
		List<Setting> left = base.settings().stream().filter(owned::contains).toList();
		if (kept.equals(config.settings()) && (config.plain() || !base.plain())
				&& kept.stream().filter(owned::contains).toList().equals(left)) {
			return now;
		}
		Set<Setting> same = new HashSet<>(kept);
		config.settings().stream().filter((each) -> !same.contains(each)).map(Setting::name).forEach(this.removed::add);
		left.stream()
			.filter((each) -> !same.contains(each))
			.forEach((each) -> this.removed.add(each.name() + RESTORED));
		if (this.removed.isEmpty()) {
			this.removed.add("the form or order of settings");
		}
		Set<Setting> known = new HashSet<>(base.settings());
		List<Setting> added = kept.stream().filter((each) -> !known.contains(each)).toList();
		List<Setting> all = Stream.concat(base.settings().stream(), added.stream()).toList();
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		joined.writeBytes(old);
		if (old.length > 0 && old[old.length - 1] != '\n') {
			joined.write('\n');
		}
		joined.writeBytes(GitConfig.write(added));
		GitConfig result = GitConfig.parse(joined.toByteArray());
		return added.isEmpty() ? old
				: (result != null && result.settings().equals(all)) ? joined.toByteArray() : GitConfig.write(all);
	}

	/**
	 * Reads the configuration.
	 * @return null if it is missing, too large, or not a file that can be read
	 */
	private static byte @Nullable [] read(OpenDirectory git) throws IOException {
		BasicFileAttributes attributes = git.find(CONFIG);
		if (attributes == null || !attributes.isRegularFile() || attributes.size() > MAX_BYTES) {
			return null;
		}
		try (SeekableByteChannel channel = git.file(CONFIG)) {
			byte[] bytes = Channels.newInputStream(channel).readNBytes(MAX_BYTES + 1);
			return (bytes.length <= MAX_BYTES) ? bytes : null;
		}
		catch (AccessDeniedException | RacedException | StuckOpenException ex) {
			return null;
		}
	}

	private static void write(OpenDirectory git, byte[] content) throws IOException {
		Path draft = Path.of("kairo-draft-" + UUID.randomUUID());
		try (SeekableByteChannel channel = git.newFile(draft)) {
			Channels.newOutputStream(channel).write(content);
		}
		git.handDown(draft);
		git.move(draft, git, CONFIG);
		git.force();
	}

	/**
	 * Renames an entry. This works on a full disk.
	 */
	private void setAside(OpenDirectory directory, Path name, String format, @Nullable String description)
			throws IOException {
		long number = System.currentTimeMillis();
		while (directory.find(Path.of(format.formatted(number))) != null) {
			number++;
		}
		directory.move(name, directory, Path.of(format.formatted(number)));
		if (description != null) {
			this.removed.add(description);
		}
	}

	/**
	 * Returns whether Git takes a directory of any name for a repository.
	 */
	private static boolean isBare(OpenDirectory directory) throws IOException {
		BasicFileAttributes head = directory.find(HEAD);
		return head != null && !head.isDirectory() && (directory.find(COMMONDIR) != null
				|| (directory.find(Path.of("objects")) != null && directory.find(Path.of("refs")) != null));
	}

	/**
	 * Returns the identity of a directory, without its device, whose number may change
	 * when it is mounted again.
	 */
	private static String key(OpenDirectory directory) throws IOException {
		return String.valueOf(directory.self().fileKey()).replaceFirst("dev=\\w+,", "");
	}

	/**
	 * Grants the owner of a directory the access that a command has revoked. If the
	 * directory is replaced by a link meanwhile, no other user gets access to its target.
	 */
	private static void grant(Path directory) throws IOException {
		if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
			int mode = (Integer) Files.getAttribute(directory, "unix:mode", LinkOption.NOFOLLOW_LINKS);
			Files.setAttribute(directory, "unix:mode", (mode & MODE) | OWNER);
		}
	}

}
