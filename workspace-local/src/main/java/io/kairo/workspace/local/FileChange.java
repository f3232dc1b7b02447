package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;

import io.kairo.api.workspace.ChangeReport.Line;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Performs the changes of one path: writes, creates and deletes.
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
		Slot slot = this.scope.slot(change.path(), Goal.TARGET);
		BasicFileAttributes replaced = slot.file();
		this.scope.policy().requireWritable(slot.physical());
		ExpectedVersion.require(change.expectedVersion(), slot);
		return put(change.path(), slot, replaced, change.content());
	}

	Line compareExchange(WorkspaceChange.CompareExchange change) throws IOException, RefusedException {
		Slot slot = this.scope.slot(change.path(), Goal.TARGET);
		BasicFileAttributes replaced = slot.file();
		if (replaced == null) {
			throw RefusedException.notFound();
		}
		this.scope.policy().requireWritable(slot.physical());
		ExpectedVersion.require(change.expectedVersion(), slot);
		if (!hasContent(slot, change.expected())) {
			if (!this.scope.alone()) {
				throw RefusedException.of(WorkspaceErrorCode.STALE_READ,
						"has another content than the expected one: read it again and make the change anew");
			}
			return new Line(change.path(), false, ContentReader.version(change.path(), slot.place()));
		}
		return put(change.path(), slot, replaced, change.content());
	}

	private static boolean hasContent(Slot slot, byte[] expected) throws IOException, RefusedException {
		try (SeekableByteChannel channel = slot.place().openFile()) {
			if (channel.size() != expected.length) {
				return false;
			}
			byte[] content = new byte[expected.length];
			return ContentReader.fill(channel, 0, content) == content.length && Arrays.equals(content, expected);
		}
	}

	private Line put(WorkspacePath path, Slot found, @Nullable BasicFileAttributes replaced, byte[] content)
			throws IOException, RefusedException {
		Slot slot = this.scope.withParents(found);
		Spot temporary = this.transaction.temporary(slot.directory());
		this.transaction.step("create");
		try (SeekableByteChannel channel = slot.directory().newFile(temporary.name())) {
			// Nobody is to read it who could not read the old one.
			this.transaction.step("mode");
			if (replaced instanceof PosixFileAttributes posix) {
				slot.directory().assume(temporary.name(), posix);
			}
			else {
				slot.directory().handDown(temporary.name());
			}
			this.transaction.step("write");
			for (int written = 0; written < content.length;) {
				written += channel.write(ByteBuffer.wrap(content, written, Math.min(CHUNK, content.length - written)));
			}
			this.transaction.step("fsync");
			((FileChannel) channel).force(true);
		}
		this.scope.place(temporary, slot);
		return new Line(path, true, (content.length <= FileContent.HASHED_SIZE) ? FileVersion.ofContent(content)
				: ContentReader.version(path, slot.spot()));
	}

	Line createDirectory(WorkspaceChange.CreateDirectory change) throws IOException, RefusedException {
		Slot slot = this.scope.slot(change.path(), Goal.TARGET);
		if (slot.isDirectory()) {
			return new Line(change.path(), false, null);
		}
		if (slot.attributes() != null) {
			throw RefusedException.exists();
		}
		this.scope.policy().requireCreatable(slot.physical());
		this.scope.makeDirectory(this.scope.withParents(slot).spot());
		return new Line(change.path(), true, null);
	}

	Line delete(WorkspaceChange.Delete change) throws IOException, RefusedException {
		Slot slot = this.scope.slot(change.path(), Goal.ENTRY);
		if (change.path().isRoot() || slot.names().isEmpty()) {
			throw RefusedException.root();
		}
		if (slot.attributes() == null) {
			throw RefusedException.notFound();
		}
		this.scope.policy().requireRemovable(slot.physical());
		ExpectedVersion.require(change.expectedVersion(), slot);
		boolean single = (change.depth() == WorkspaceChange.Depth.SINGLE);
		if (slot.isDirectory() && single) {
			requireEmpty(slot);
		}
		this.scope.requireUnchanged(slot);
		if (this.scope.alone() && (single || !slot.isDirectory())) {
			deleteAtOnce(slot);
		}
		else {
			putAside(slot);
		}
		return new Line(change.path(), true, null);
	}

	private static void requireEmpty(Slot slot) throws IOException, RefusedException {
		try (OpenDirectory directory = slot.directory().directory(slot.name())) {
			if (directory.names().hasNext()) {
				throw notEmpty();
			}
		}
	}

	private void deleteAtOnce(Slot slot) throws IOException, RefusedException {
		this.transaction.step("delete");
		try {
			if (slot.isDirectory()) {
				slot.directory().deleteDirectory(slot.name());
			}
			else {
				slot.directory().deleteFile(slot.name());
			}
		}
		catch (DirectoryNotEmptyException ex) {
			throw notEmpty();
		}
		this.scope.settle(slot.directory());
	}

	/**
	 * Gives what is to be deleted a temporary name, so that all of it is gone at once.
	 */
	private void putAside(Slot slot) throws IOException {
		TreeRemoval.requireRemovable(slot.spot());
		Spot aside = this.transaction.temporary(slot.directory());
		this.transaction.undoBy(Undo.moveBack(aside, Spot.identity(slot.attributes()), slot.spot(), Spot.NOTHING));
		this.transaction.step("aside");
		slot.spot().moveTo(aside);
		this.transaction.settle(slot.directory());
	}

	private static RefusedException notEmpty() {
		return RefusedException.of(WorkspaceErrorCode.DIRECTORY_NOT_EMPTY,
				"is a directory that is not empty: delete it recursively, or what is in it first");
	}

}
