package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * A directory kept open by a stream of its entries.
 */
abstract class StreamedDirectory implements OpenDirectory {

	static final Set<OpenOption> READ = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);

	static final Set<OpenOption> CREATE = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE,
			LinkOption.NOFOLLOW_LINKS);

	private final Path base;

	private final Path path;

	private final DirectoryStream<Path> stream;

	StreamedDirectory(Path base, Path path, DirectoryStream<Path> stream) {
		this.base = base;
		this.path = path;
		this.stream = stream;
	}

	@Override
	public final Path path() {
		return this.path;
	}

	@Override
	public final Path base() {
		return this.base;
	}

	/**
	 * Returns a view of the attributes of an entry, without following a link.
	 * @return the view, null if the file system does not support the type
	 */
	abstract <V extends FileAttributeView> @Nullable V view(Path name, Class<V> type) throws IOException;

	@Override
	public BasicFileAttributes attributes(Path name) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		return (posix != null) ? posix.readAttributes()
				: Objects.requireNonNull(view(name, BasicFileAttributeView.class)).readAttributes();
	}

	@Override
	public final void assume(Path name, PosixFileAttributes like) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		if (posix != null) {
			assume(posix, like);
		}
	}

	private static void assume(PosixFileAttributeView view, PosixFileAttributes like) throws IOException {
		PosixFileAttributes own = view.readAttributes();
		try {
			if (!own.group().equals(like.group())) {
				view.setGroup(like.group());
			}
			if (!own.owner().equals(like.owner())) {
				view.setOwner(like.owner());
			}
		}
		catch (IOException ex) {
			// Only the superuser may change an owner.
		}
		if (!own.permissions().equals(like.permissions())) {
			view.setPermissions(like.permissions());
		}
	}

	@Override
	public final void handDown(Path name) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		if (posix != null && self() instanceof PosixFileAttributes own) {
			give(posix, own);
		}
	}

	private static void give(PosixFileAttributeView view, PosixFileAttributes like) throws IOException {
		if (!view.readAttributes().owner().equals(like.owner())) {
			try {
				view.setOwner(like.owner());
				view.setGroup(like.group());
			}
			catch (IOException ex) {
				// Only the superuser may change an owner: the file keeps its creator.
			}
		}
	}

	@Override
	public final void give(Path name, HostUser user) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		if (posix != null) {
			UserPrincipalLookupService users = path().getFileSystem().getUserPrincipalLookupService();
			posix.setGroup(users.lookupPrincipalByGroupName(Integer.toString(user.gid())));
			posix.setOwner(users.lookupPrincipalByName(Integer.toString(user.uid())));
		}
	}

	@Override
	public final void permit(Path name, Set<PosixFilePermission> permissions) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		if (posix != null) {
			posix.setPermissions(permissions);
		}
	}

	@Override
	public final void permitOwner(Path name) throws IOException {
		PosixFileAttributeView posix = view(name, PosixFileAttributeView.class);
		if (posix != null) {
			Set<PosixFilePermission> permissions = EnumSet.of(PosixFilePermission.OWNER_READ,
					PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);
			permissions.addAll(posix.readAttributes().permissions());
			posix.setPermissions(permissions);
		}
	}

	/**
	 * Closes a channel opened for reading unless it is a regular file.
	 */
	static SeekableByteChannel requireRegular(SeekableByteChannel channel) throws IOException {
		try {
			channel.position(); // a FIFO has none
			return channel;
		}
		catch (IOException ex) {
			channel.close();
			throw new RacedException();
		}
	}

	@Override
	public final Iterator<Path> names() {
		Iterator<Path> entries = this.stream.iterator();
		return new Iterator<>() {

			@Override
			public boolean hasNext() {
				return entries.hasNext();
			}

			@Override
			public Path next() {
				return entries.next().getFileName();
			}

		};
	}

	@Override
	public void close() throws IOException {
		this.stream.close();
	}

}
