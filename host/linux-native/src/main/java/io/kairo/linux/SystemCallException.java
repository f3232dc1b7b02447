package io.kairo.linux;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/**
 * Thrown when the kernel refuses a system call.
 */
public final class SystemCallException extends IOException {

	/** The call would have to wait (EAGAIN). */
	public static final int EAGAIN = 11;

	/** The operation is not permitted (EPERM). */
	public static final int EPERM = 1;

	/** There is no such file (ENOENT). */
	public static final int ENOENT = 2;

	/** There is no such process or thread (ESRCH). */
	public static final int ESRCH = 3;

	/** A signal has interrupted the call (EINTR). */
	public static final int EINTR = 4;

	/** A descriptor is not open (EBADF). */
	public static final int EBADF = 9;

	/** The kernel has the call, but it is switched off (EOPNOTSUPP). */
	public static final int EOPNOTSUPP = 95;

	/** The kernel does not have the call (ENOSYS). */
	public static final int ENOSYS = 38;

	private static final Map<Integer, String> NAMES = Map.ofEntries(Map.entry(EPERM, "EPERM"),
			Map.entry(ENOENT, "ENOENT"), Map.entry(ESRCH, "ESRCH"), Map.entry(EINTR, "EINTR"), Map.entry(7, "E2BIG"),
			Map.entry(EBADF, "EBADF"), Map.entry(EAGAIN, "EAGAIN"), Map.entry(12, "ENOMEM"), Map.entry(13, "EACCES"),
			Map.entry(20, "ENOTDIR"), Map.entry(22, "EINVAL"), Map.entry(23, "ENFILE"), Map.entry(24, "EMFILE"),
			Map.entry(ENOSYS, "ENOSYS"), Map.entry(40, "ELOOP"), Map.entry(EOPNOTSUPP, "EOPNOTSUPP"));

	private static final long serialVersionUID = 1L;

	/**
	 * The error number.
	 */
	private final int error;

	/**
	 * Creates the exception.
	 * @param call the name of the call
	 * @param error the error number
	 */
	public SystemCallException(String call, int error) {
		super(call.toLowerCase(Locale.ROOT) + ": " + NAMES.getOrDefault(error, "error") + " (error=" + error + ",)");
		this.error = error;
	}

	/**
	 * Returns the error number, see errno(3).
	 * @return the number
	 */
	public int error() {
		return this.error;
	}

}
