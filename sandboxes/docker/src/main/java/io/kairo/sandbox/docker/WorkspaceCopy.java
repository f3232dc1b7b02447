package io.kairo.sandbox.docker;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import io.kairo.host.HostUser;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Roots;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The copies of the directories of one command, for an engine that does not see the files
 * of this machine. The directories are copied into volumes of the container before the
 * command starts, and the changes of the command are copied back when it has ended. For
 * use by one thread at a time.
 */
final class WorkspaceCopy {

	private static final Logger logger = System.getLogger(WorkspaceCopy.class.getName());

	private final List<RootCopy> roots = new ArrayList<>();

	private final HostUser user;

	private final PrivateDirectory directory;

	private final long maxBytes;

	private final CopyBound bound;

	/**
	 * Creates the copies. Does not access the disk.
	 * @param roots the directories
	 * @param plan the protected paths and the hidden directories
	 * @param user the user that commands run as
	 * @param directory the parent of a file for the copied changes
	 * @param maxBytes maximum size of all files, in each direction
	 */
	WorkspaceCopy(Roots roots, MountPlan plan, HostUser user, PrivateDirectory directory, long maxBytes) {
		roots.all().forEach((root) -> this.roots.add(new RootCopy(root, roots, plan)));
		this.user = user;
		this.directory = directory;
		this.maxBytes = maxBytes;
		this.bound = new CopyBound(maxBytes);
	}

	/**
	 * Returns the copies of either the writable or the read-only directories.
	 */
	List<RootCopy> roots(boolean writable) {
		return this.roots.stream().filter((copy) -> copy.root().writable() == writable).toList();
	}

	/**
	 * Writes directories to an archive, at their paths in the container.
	 * @throws IOException if a file cannot be read, the archive cannot be written, or it
	 * is too large
	 */
	void write(List<RootCopy> roots, OutputStream output) throws IOException {
		try (TarArchiveOutputStream archive = new TarArchiveOutputStream(output, StandardCharsets.UTF_8.name())) {
			archive.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
			archive.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
			archive.setAddPaxHeadersForNonAsciiNames(true);
			for (RootCopy root : roots) {
				RootArchive.write(root, archive, this.bound);
			}
		}
	}

	/**
	 * Copies back the changes of the command.
	 * @param container the ID of its container; nothing runs in it anymore
	 * @return the changes that were not copied back, each a line for the user
	 */
	List<String> fetch(DockerEngine engine, String container) {
		CopyRemarks remarks = new CopyRemarks();
		try {
			Path staging = this.directory.newPath("copy");
			try (FileChannel file = FileChannel.open(staging, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
					StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
				CopyBound bound = new CopyBound(this.maxBytes);
				for (RootCopy copy : roots(true)) {
					ArchiveUpdate update = new ArchiveUpdate(copy, this.user, file, bound, remarks);
					engine.download(container, copy.root().target(), update::apply);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			String reason = (ex instanceof IOException) ? String.valueOf(ex.getMessage())
					: ContainerFactory.message(ex);
			logger.log(Level.WARNING, "What a command changed was not or not completely copied back: " + reason);
			logger.log(Level.DEBUG, "The copies of a command could not be read", ex);
			remarks.addFailure(reason);
		}
		return remarks.lines();
	}

}
