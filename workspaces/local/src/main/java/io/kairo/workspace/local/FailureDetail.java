package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.FileSystemException;

/**
 * The reason that the file system gives for a failure, without the path.
 */
public final class FailureDetail {

	private FailureDetail() {
	}

	/**
	 * Returns the reason of a failure.
	 * @param cause the failure
	 * @return the reason, empty if there is none
	 */
	public static String of(IOException cause) {
		String detail = (cause instanceof FileSystemException failure) ? failure.getReason()
				: (cause.getClass() == IOException.class) ? cause.getMessage() : null;
		return (detail != null) ? detail : "";
	}

	/**
	 * Returns whether an entry is a mount point, which cannot be renamed or replaced.
	 * @param cause the failure
	 * @return true if the entry is busy
	 */
	public static boolean isBusy(IOException cause) {
		return of(cause).contains("resource busy");
	}

	/**
	 * Returns whether the file system is full.
	 * @param cause the failure
	 * @return true if no space or no inode is left, or a quota is exceeded
	 */
	public static boolean isFullDisk(IOException cause) {
		String detail = of(cause);
		return detail.contains("No space left") || detail.contains("quota exceeded");
	}

}
