package io.kairo.workspace.s3;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WorkspaceException;

/**
 * The files of a workspace on this machine in front of its objects. A directory is listed
 * when it is first used; each object becomes a placeholder of the same size until its
 * content is needed. No user but root can read a placeholder. Safe for use by several
 * threads.
 */
final class Overlay {

	private final Bucket bucket;

	private final TreeState state;

	private final LocalTree tree;

	private final Path staging;

	/** Held while files of the tree are replaced by the application. */
	private final ReentrantLock changes = new ReentrantLock();

	private final ReentrantLock listing = new ReentrantLock();

	private final ConcurrentMap<String, ReentrantLock> fetching = new ConcurrentHashMap<>();

	private final UnusableKeys unusable = new UnusableKeys();

	private final AtomicLong fetchedBytes = new AtomicLong();

	/**
	 * Creates the overlay.
	 * @param bucket the objects
	 * @param state the state
	 * @param tree the files
	 * @param staging a directory of the application on the same file system as the files
	 */
	Overlay(Bucket bucket, TreeState state, LocalTree tree, Path staging) {
		this.bucket = bucket;
		this.state = state;
		this.tree = tree;
		this.staging = staging;
	}

	Bucket bucket() {
		return this.bucket;
	}

	TreeState state() {
		return this.state;
	}

	LocalTree tree() {
		return this.tree;
	}

	ReentrantLock changes() {
		return this.changes;
	}

	/**
	 * Returns the keys found so far that are not part of the workspace.
	 */
	List<UnusableKey> unusable() {
		return this.unusable.list();
	}

	/**
	 * Lists and fetches everything if there is a link on the way to a path, as the link
	 * may lead to any file. File tools create no links, and before a command could create
	 * one, everything was fetched.
	 */
	void fetchBehindLinks(String path) {
		if (path.isEmpty() || this.state.version(path) != null || this.state.isComplete()) {
			return;
		}
		try {
			if (this.tree.isBehindLink(path)) {
				fetchTree("");
			}
		}
		catch (IOException ex) {
			// The next open of the path reports the cause.
		}
	}

	/**
	 * Returns the path of a new file of the application.
	 */
	Path newStaged() {
		return this.staging.resolve(UUID.randomUUID().toString());
	}

	/**
	 * Lists a directory, and those above it, unless that was done before.
	 * @param directory the path, empty for the root
	 * @throws WorkspaceException if it fails
	 */
	void list(String directory) {
		if (this.state.isListed(directory) && this.state.directories(directory).size() == 1) {
			return;
		}
		if (!directory.isEmpty()) {
			list(KeySyntax.parent(directory));
		}
		for (String spelled : this.state.directories(directory)) {
			list(spelled, false);
		}
	}

	/**
	 * Lists a directory and a number of levels of directories in it.
	 */
	void list(String directory, int depth) {
		list(directory);
		if (depth > 1) {
			listTree(directory);
		}
	}

	/**
	 * Lists everything below a directory unless that was done before.
	 */
	void listTree(String directory) {
		if (!directory.isEmpty()) {
			list(KeySyntax.parent(directory));
		}
		for (String spelled : this.state.directories(directory)) {
			list(spelled, true);
		}
	}

	private void list(String directory, boolean recursive) {
		if (isListed(directory, recursive)) {
			return;
		}
		this.listing.lock();
		try {
			if (isListed(directory, recursive)) {
				return;
			}
			RemoteListing found = this.bucket.list(directory, recursive,
					this.bucket.limits().maxObjects() - this.state.size());
			place(found, recursive);
			this.state.listed(directory, recursive);
		}
		catch (UncheckedIOException ex) {
			throw unwritable(ex);
		}
		finally {
			this.listing.unlock();
		}
	}

	private boolean isListed(String directory, boolean recursive) {
		return recursive ? this.state.isTreeListed(directory) : this.state.isListed(directory);
	}

	private void place(RemoteListing found, boolean recursive) {
		found.unusable().forEach(this.unusable::add);
		Set<String> directories = new HashSet<>(found.directories());
		for (RemoteObject object : found.objects()) {
			for (String above = KeySyntax.parent(object.path()); recursive && !above.isEmpty()
					&& directories.add(above); above = KeySyntax.parent(above)) {
				// adds all directories above
			}
		}
		for (String directory : new TreeSet<>(directories)) {
			if (recursive && this.state.isListed(KeySyntax.parent(directory))) {
				continue; // known, and possibly deleted on this machine
			}
			placeDirectory(directory);
		}
		Map<String, List<RemoteObject>> byDirectory = new TreeMap<>();
		for (RemoteObject object : found.objects()) {
			String parent = KeySyntax.parent(object.path());
			if (this.state.version(object.path()) != null || (recursive && this.state.isListed(parent))) {
				continue;
			}
			if (directories.contains(object.path())) {
				this.unusable
					.add(new UnusableKey(object.path(), "is also the beginning of other keys, as a directory is"));
			}
			else {
				byDirectory.computeIfAbsent(parent, (key) -> new ArrayList<>()).add(object);
			}
		}
		byDirectory.forEach(this::placeObjects);
	}

	private void placeDirectory(String directory) {
		try {
			this.tree.createDirectory(directory);
			this.state.directory(directory);
		}
		catch (NotDirectoryException ex) {
			this.unusable.add(new UnusableKey(directory + "/", "has the path of a file for a directory"));
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
	}

	private void placeObjects(String directory, List<RemoteObject> objects) {
		Map<String, Path> staged = new LinkedHashMap<>();
		Map<String, BaseVersion> versions = new LinkedHashMap<>();
		this.changes.lock();
		try {
			for (RemoteObject object : objects) {
				BaseVersion version = BaseVersion.listed(object);
				this.state.version(object.path(), version);
				versions.put(object.path(), version);
				Path placeholder = newStaged();
				staged.put(object.path().substring(object.path().lastIndexOf('/') + 1), placeholder);
				try (RandomAccessFile file = new RandomAccessFile(placeholder.toFile(), "rw")) {
					file.setLength(object.size());
				}
				Files.setLastModifiedTime(placeholder, FileTime.from(object.modified()));
				setPermissions(placeholder, Set.of());
			}
			for (LocalFile placed : this.tree.installNew(staged, directory)) {
				this.state.version(placed.path(),
						Objects.requireNonNull(versions.remove(placed.path())).placed(placed.fingerprint()));
			}
			for (String path : versions.keySet()) {
				this.state.forget(path);
				this.unusable.add(new UnusableKey(path, "differs too little from another key for this file system"));
			}
		}
		catch (NotDirectoryException ex) {
			versions.keySet().forEach(this.state::forget); // reported with the directory
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
		finally {
			this.changes.unlock();
			staged.values().forEach(Overlay::deleteStaged);
		}
	}

	/**
	 * Deletes a file of the application, if it is still there.
	 */
	static void deleteStaged(Path staged) {
		try {
			Files.deleteIfExists(staged);
		}
		catch (IOException ex) {
			// It is removed with the workspace.
		}
	}

	private static void setPermissions(Path file, Set<PosixFilePermission> permissions) throws IOException {
		if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			Files.setPosixFilePermissions(file, permissions);
		}
	}

	/**
	 * Fetches the content of a file, if it is a placeholder.
	 * @param path the path in any case of letters
	 * @throws WorkspaceException if it fails
	 */
	void fetch(String path) {
		for (String spelled : this.state.spellings(path)) {
			fetchSpelled(spelled);
		}
	}

	/**
	 * Returns whether the content of a file must be fetched before it is read.
	 */
	boolean isUnfetched(String path) {
		for (String spelled : this.state.spellings(path)) {
			BaseVersion version = this.state.version(spelled);
			if (version != null && !version.fetched()) {
				return true;
			}
		}
		return false;
	}

	private void fetchSpelled(String path) {
		BaseVersion known = this.state.version(path);
		if (known == null || known.fetched()) {
			return;
		}
		ReentrantLock lock = this.fetching.computeIfAbsent(path, (key) -> new ReentrantLock());
		lock.lock();
		try {
			BaseVersion version = this.state.version(path);
			if (version != null && !version.fetched() && isPlaceholder(path, version)) {
				download(path, version);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			throw unwritable(ex);
		}
		finally {
			lock.unlock();
			this.fetching.remove(path, lock);
		}
	}

	private boolean isPlaceholder(String path, BaseVersion version) throws IOException {
		LocalFile file = this.tree.find(path);
		return file != null && version.isPlaceholder(file);
	}

	private void download(String path, BaseVersion version) throws IOException {
		long maxBytes = this.bucket.limits().maxBytes();
		if (this.fetchedBytes.addAndGet(version.size()) > maxBytes) {
			this.fetchedBytes.addAndGet(-version.size());
			throw S3Failures.tooLarge("More than the " + maxBytes + " bytes of one workspace would be fetched from "
					+ this.bucket.location(), "open a narrower prefix, or let the operator allow more");
		}
		Path staged = newStaged();
		boolean installed = false;
		try {
			Bucket.Fetched fetched = this.bucket.get(path, staged);
			this.changes.lock();
			try {
				if (!isPlaceholder(path, version)) {
					return;
				}
				if (fetched == null) {
					this.tree.deleteFile(path);
					this.state.forget(path);
				}
				else {
					this.state.version(path, installed(fetched, staged, path));
					installed = true;
				}
			}
			finally {
				this.changes.unlock();
			}
		}
		finally {
			if (!installed) {
				this.fetchedBytes.addAndGet(-version.size());
			}
			Files.deleteIfExists(staged);
		}
	}

	/**
	 * Moves the content of an object to a path.
	 */
	BaseVersion installed(Bucket.Fetched fetched, Path staged, String path) throws IOException {
		RemoteObject object = fetched.object();
		if (object.metadata().containsKey(Bucket.EXECUTABLE)
				&& staged.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(staged);
			permissions.add(PosixFilePermission.OWNER_EXECUTE);
			permissions.add(PosixFilePermission.GROUP_EXECUTE);
			permissions.add(PosixFilePermission.OTHERS_EXECUTE);
			setPermissions(staged, permissions);
		}
		Files.setLastModifiedTime(staged, FileTime.from(object.modified()));
		LocalFile file = this.tree.install(staged, path);
		return new BaseVersion(object.etag(), object.size(), object.modified(), true, fetched.sha256(),
				file.fingerprint());
	}

	/**
	 * Fetches everything below a directory that is not on this machine yet.
	 * @return the number of fetched files
	 * @throws WorkspaceException if it fails, possibly after a part was fetched
	 */
	int fetchTree(String directory) {
		listTree(directory);
		List<String> missing = new ArrayList<>();
		long bytes = 0;
		try {
			for (Map.Entry<String, BaseVersion> entry : this.state.unfetched(directory).entrySet()) {
				if (isPlaceholder(entry.getKey(), entry.getValue())) {
					missing.add(entry.getKey());
					bytes += entry.getValue().size();
				}
			}
		}
		catch (IOException ex) {
			throw unwritable(ex);
		}
		long maxBytes = this.bucket.limits().maxBytes();
		if (this.fetchedBytes.get() + bytes > maxBytes) {
			throw S3Failures.tooLarge(
					"The " + missing.size() + " files that are not fetched yet have " + bytes
							+ " bytes, which makes more than the " + maxBytes + " of one workspace",
					"open a narrower prefix, or let the operator allow more");
		}
		Parallel.forEach(missing, this.bucket.limits().concurrency(), this::fetchSpelled);
		return missing.size();
	}

	/**
	 * Returns whether a file is a placeholder.
	 */
	boolean isPlaceholder(LocalFile file) {
		BaseVersion version = this.state.version(file.path());
		return version != null && version.isPlaceholder(file);
	}

	WorkspaceException unwritable(Exception cause) {
		return S3Failures.here("The files of " + this.bucket.location() + " could not be written", cause);
	}

}
