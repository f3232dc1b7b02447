package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.host.HostUser;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Counts the directories that are open at a time.
 */
final class CountedDirectory implements OpenDirectory {

	private final OpenDirectory delegate;

	private final AtomicInteger open;

	private final AtomicInteger most;

	private final AtomicBoolean closed = new AtomicBoolean();

	CountedDirectory(OpenDirectory delegate, AtomicInteger open, AtomicInteger most) {
		this.delegate = delegate;
		this.open = open;
		this.most = most;
		most.accumulateAndGet(open.incrementAndGet(), Math::max);
	}

	@Override
	public Path path() {
		return this.delegate.path();
	}

	@Override
	public Path base() {
		return this.delegate.base();
	}

	@Override
	public BasicFileAttributes attributes(Path name) throws IOException {
		return this.delegate.attributes(name);
	}

	@Override
	public OpenDirectory directory(Path name) throws IOException {
		return new CountedDirectory(this.delegate.directory(name), this.open, this.most);
	}

	@Override
	public SeekableByteChannel file(Path name) throws IOException {
		return this.delegate.file(name);
	}

	@Override
	public Iterator<Path> names() {
		return this.delegate.names();
	}

	@Override
	public SeekableByteChannel newFile(Path name) throws IOException {
		return this.delegate.newFile(name);
	}

	@Override
	public void newDirectory(Path name) throws IOException {
		this.delegate.newDirectory(name);
	}

	@Override
	public void newLink(Path name, Path text) throws IOException {
		this.delegate.newLink(name, text);
	}

	@Override
	public void assume(Path name, PosixFileAttributes like) throws IOException {
		this.delegate.assume(name, like);
	}

	@Override
	public void handDown(Path name) throws IOException {
		this.delegate.handDown(name);
	}

	@Override
	public void give(Path name, HostUser user) throws IOException {
		this.delegate.give(name, user);
	}

	@Override
	public void permit(Path name, Set<PosixFilePermission> permissions) throws IOException {
		this.delegate.permit(name, permissions);
	}

	@Override
	public void permitOwner(Path name) throws IOException {
		this.delegate.permitOwner(name);
	}

	@Override
	public void move(Path name, OpenDirectory target, Path targetName) throws IOException {
		this.delegate.move(name, ((CountedDirectory) target).delegate, targetName);
	}

	@Override
	public void deleteFile(Path name) throws IOException {
		this.delegate.deleteFile(name);
	}

	@Override
	public void deleteDirectory(Path name) throws IOException {
		this.delegate.deleteDirectory(name);
	}

	@Override
	public void force() throws IOException {
		this.delegate.force();
	}

	@Override
	public void close() throws IOException {
		if (this.closed.compareAndSet(false, true)) {
			this.open.decrementAndGet();
		}
		this.delegate.close();
	}

}
