package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

import io.kairo.linux.FileStatus;

/**
 * The attributes of a file as the kernel returned them.
 *
 * @param status the status from the kernel
 */
record StatusAttributes(FileStatus status) implements PosixFileAttributes {

	private static final PosixFilePermission[] PERMISSIONS = PosixFilePermission.values();

	@Override
	public Set<PosixFilePermission> permissions() {
		Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
		for (int i = 0; i < PERMISSIONS.length; i++) {
			// in the order of the bits, from the highest
			if ((this.status.mode() >> (PERMISSIONS.length - 1 - i) & 1) != 0) {
				permissions.add(PERMISSIONS[i]);
			}
		}
		return permissions;
	}

	@Override
	public UserPrincipal owner() {
		try {
			return users().lookupPrincipalByName(Integer.toUnsignedString(this.status.uid()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public GroupPrincipal group() {
		try {
			return users().lookupPrincipalByGroupName(Integer.toUnsignedString(this.status.gid()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static UserPrincipalLookupService users() {
		return FileSystems.getDefault().getUserPrincipalLookupService();
	}

	@Override
	public FileTime lastModifiedTime() {
		return FileTime.from(this.status.modified());
	}

	@Override
	public FileTime lastAccessTime() {
		return FileTime.from(this.status.accessed());
	}

	@Override
	public FileTime creationTime() {
		return FileTime.from(this.status.created());
	}

	@Override
	public boolean isRegularFile() {
		return this.status.isRegularFile();
	}

	@Override
	public boolean isDirectory() {
		return this.status.isDirectory();
	}

	@Override
	public boolean isSymbolicLink() {
		return this.status.isLink();
	}

	@Override
	public boolean isOther() {
		return !isRegularFile() && !isDirectory() && !isSymbolicLink();
	}

	@Override
	public long size() {
		return this.status.size();
	}

	/**
	 * Returns the stamp of the file.
	 */
	String stamp() {
		return this.status.inode() + " " + this.status.size() + " " + nanos(this.status.modified()) + " "
				+ nanos(this.status.changed());
	}

	private static long nanos(Instant time) {
		return time.getEpochSecond() * 1_000_000_000L + time.getNano();
	}

	@Override
	public FileKey fileKey() {
		return new FileKey(this.status.device(), this.status.inode());
	}

	/**
	 * Identifies a file. Its text equals that of a key of the JDK.
	 *
	 * @param device the number of its device
	 * @param inode its number on the device
	 */
	record FileKey(long device, long inode) {

		@Override
		public String toString() {
			return "(dev=" + Long.toHexString(this.device) + ",ino=" + this.inode + ')';
		}

	}

}
