package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Objects;

import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.path.PathSyntax;

/**
 * Copies files, links and whole directories to a temporary name. Links are copied as they
 * are; their targets are checked when they are followed.
 */
final class TreeCopy {

	private static final long CHUNK = 1 << 24;

	private final Transaction transaction;

	private final HiddenDirectory hidden;

	TreeCopy(Transaction transaction, HiddenDirectory hidden) {
		this.transaction = transaction;
		this.hidden = hidden;
	}

	/**
	 * Copies an entry.
	 * @param source the entry to copy
	 * @param attributes its attributes
	 * @param target a name that does not exist
	 */
	void copy(EntryRef source, BasicFileAttributes attributes, EntryRef target) throws IOException, RefusedException {
		copy(source, attributes, target, target.depth());
	}

	private void copy(EntryRef source, BasicFileAttributes attributes, EntryRef target, int depth)
			throws IOException, RefusedException {
		if (depth > PathSyntax.MAX_NAMES) {
			throw RefusedException.tooDeep();
		}
		if (attributes.isSymbolicLink()) {
			Path text = source.directory().linkText(source.name(), attributes);
			this.transaction.step("link");
			target.directory().newLink(target.name(), text);
			return;
		}
		if (attributes.isDirectory()) {
			copyDirectory(source, target, depth);
			assume(target, attributes);
		}
		else if (attributes.isRegularFile()) {
			copyFile(source, attributes, target);
		}
		else {
			throw RefusedException.specialFile();
		}
	}

	private static void assume(EntryRef target, BasicFileAttributes attributes) throws IOException {
		if (attributes instanceof PosixFileAttributes posix) {
			target.directory().assume(target.name(), posix);
		}
	}

	private void copyFile(EntryRef source, BasicFileAttributes attributes, EntryRef target) throws IOException {
		this.transaction.step("copy");
		try (SeekableByteChannel in = source.directory().file(source.name());
				SeekableByteChannel out = target.directory().newFile(target.name(), in)) {
			if (!Objects.equals(source.identity(), EntryRef.identity(attributes))) {
				throw new RacedException();
			}
			assume(target, attributes);
			FileChannel from = (FileChannel) in;
			FileChannel to = (FileChannel) out;
			long position = 0;
			for (long count = 1; count > 0; position += count) {
				count = from.transferTo(position, CHUNK, to);
			}
			this.transaction.step("fsync");
			to.force(true);
		}
	}

	private void copyDirectory(EntryRef source, EntryRef target, int depth) throws IOException, RefusedException {
		this.transaction.step("mkdir");
		target.directory().newDirectory(target.name());
		try (OpenDirectory from = source.directory().directory(source.name());
				OpenDirectory to = target.directory().directory(target.name())) {
			for (Path name : from.list()) {
				BasicFileAttributes attributes = from.find(name);
				if (attributes != null && !TemporaryNames.is(name)
						&& !this.hidden.is(from.path().resolve(name), attributes)) {
					copy(new EntryRef(from, name), attributes, new EntryRef(to, name), depth + 1);
				}
			}
			to.force();
		}
	}

}
