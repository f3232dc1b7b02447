package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;

import io.kairo.api.workspace.ChangeReport.Line;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Performs the changes with one path: writes, creates and deletes.
 */
final class FileChange {

	private static final int CHUNK = 1 << 20;

	private final ChangeScope scope;

	private final Transaction transaction;

	FileChange(ChangeScope scope) {
		this.scope = scope;
		this.transaction = scope.transaction();
	}

	Line write(WorkspaceChange.Write change) throws IOException, RefusedException {
		DescentResult target = this.scope.locate(change.path(), Descent.Goal.TARGET);
		BasicFileAttributes replaced = target.file();
		this.scope.policy().requireWritable(target.physical());
		ExpectedVersion.require(change.expectedVersion(), target);
		return put(change.path(), target, replaced, change.content());
	}

	Line compareExchange(WorkspaceChange.CompareExchange change) throws IOException, RefusedException {
		DescentResult target = this.scope.locate(change.path(), Descent.Goal.TARGET);
		BasicFileAttributes replaced = target.file();
		if (replaced == null) {
			throw RefusedException.notFound();
		}
		this.scope.policy().requireWritable(target.physical());
		ExpectedVersion.require(change.expectedVersion(), target);
		if (!hasContent(target, change.expected())) {
			if (!this.scope.alone()) {
				throw RefusedException.of(WorkspaceErrorCode.STALE_READ,
						"has another content than the expected one: read it again and make the change anew");
			}
			return new Line(change.path(), false, ContentReader.version(change.path(), target.existing()));
		}
		return put(change.path(), target, replaced, change.content());
	}

	private static boolean hasContent(DescentResult target, byte[] expected) throws IOException, RefusedException {
		try (SeekableByteChannel channel = target.existing().openFile()) {
			if (channel.size() != expected.length) {
				return false;
			}
			byte[] content = new byte[expected.length];
			return ContentReader.fill(channel, 0, content) == content.length && Arrays.equals(content, expected);
		}
	}

	private Line put(WorkspacePath path, DescentResult found, @Nullable BasicFileAttributes replaced, byte[] content)
			throws IOException, RefusedException {
		DescentResult target = this.scope.withParents(found);
		EntryRef temporary = this.transaction.temporary(target.directory());
		this.transaction.step("create");
		try (SeekableByteChannel channel = newFile(path, found, replaced, temporary)) {
			// A process that could not read the old file must not read the new one.
			this.transaction.step("mode");
			if (replaced instanceof PosixFileAttributes posix) {
				target.directory().assume(temporary.name(), posix);
			}
			else {
				target.directory().handDown(temporary.name());
			}
			this.transaction.step("write");
			for (int written = 0; written < content.length;) {
				written += channel.write(ByteBuffer.wrap(content, written, Math.min(CHUNK, content.length - written)));
			}
			this.transaction.step("fsync");
			((FileChannel) channel).force(true);
		}
		this.scope.place(temporary, target);
		return new Line(path, true, (content.length <= FileContent.HASHED_SIZE) ? FileVersion.ofContent(content)
				: ContentReader.version(path, target.ref()));
	}

	/**
	 * Creates the file that takes the place of another one, with its extended attributes
	 * and its access control list.
	 */
	private static SeekableByteChannel newFile(WorkspacePath path, DescentResult found,
			@Nullable BasicFileAttributes replaced, EntryRef temporary) throws IOException, RefusedException {
		if (replaced instanceof PosixFileAttributes posix
				&& posix.permissions().stream().noneMatch((permission) -> permission.name().endsWith("_WRITE"))
				&& !Files.isWritable(found.physical())) {
			throw RefusedException.readOnlyFile(posix);
		}
		OpenDirectory directory = temporary.directory();
		try {
			if (replaced == null) {
				return directory.newFile(temporary.name());
			}
			try (SeekableByteChannel like = found.existing().openFile()) {
				return directory.newFile(temporary.name(), like);
			}
			catch (AccessDeniedException ex) {
				return directory.newFile(temporary.name());
			}
		}
		catch (AccessDeniedException ex) {
			String name = path.isRoot() ? "" : path.parent().relative();
			throw RefusedException.readOnlyDirectory(name.isEmpty() ? "." : name);
		}
	}

	Line createDirectory(WorkspaceChange.CreateDirectory change) throws IOException, RefusedException {
		DescentResult target = this.scope.locate(change.path(), Descent.Goal.TARGET);
		if (target.isDirectory()) {
			return new Line(change.path(), false, null);
		}
		if (target.attributes() != null) {
			throw RefusedException.exists();
		}
		this.scope.policy().requireCreatable(target.physical());
		this.scope.makeDirectory(this.scope.withParents(target).ref());
		return new Line(change.path(), true, null);
	}

	Line delete(WorkspaceChange.Delete change) throws IOException, RefusedException {
		DescentResult target = this.scope.locate(change.path(), Descent.Goal.ENTRY);
		if (change.path().isRoot() || target.names().isEmpty()) {
			throw RefusedException.root();
		}
		if (target.attributes() == null) {
			throw RefusedException.notFound();
		}
		this.scope.policy().requireRemovable(target.physical());
		ExpectedVersion.require(change.expectedVersion(), target);
		boolean single = (change.depth() == WorkspaceChange.Depth.SINGLE);
		if (target.isDirectory() && single) {
			requireEmpty(target);
		}
		else if (target.isDirectory()) {
			this.scope.policy().anyDepth().requireUnprotected(target.ref(), target.physical());
		}
		this.scope.requireUnchanged(target);
		if (this.scope.alone() && (single || !target.isDirectory())) {
			deleteAtOnce(target);
		}
		else {
			target.ref().requireRemovable();
			this.scope.putAside(target);
		}
		return new Line(change.path(), true, null);
	}

	/**
	 * Checks that nothing is in a directory but what this change has deleted.
	 */
	private void requireEmpty(DescentResult target) throws IOException, RefusedException {
		try (OpenDirectory directory = target.directory().directory(target.name())) {
			if (!directory.list().stream().allMatch(this.transaction::isTemporary)) {
				throw notEmpty();
			}
		}
	}

	private void deleteAtOnce(DescentResult target) throws IOException, RefusedException {
		this.transaction.step("delete");
		try {
			if (target.isDirectory()) {
				target.directory().deleteDirectory(target.name());
			}
			else {
				target.directory().deleteFile(target.name());
			}
		}
		catch (DirectoryNotEmptyException ex) {
			throw notEmpty();
		}
		this.scope.settle(target.directory());
	}

	private static RefusedException notEmpty() {
		return RefusedException.of(WorkspaceErrorCode.DIRECTORY_NOT_EMPTY,
				"is a directory that is not empty: delete it recursively, or what is in it first");
	}

}
