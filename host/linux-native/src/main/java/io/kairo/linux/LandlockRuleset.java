package io.kairo.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.LinkOption;

/**
 * A Landlock ruleset of the kernel. Any number of threads can restrict themselves by it.
 * Holds a descriptor until it is closed. Safe for use by several threads.
 */
public final class LandlockRuleset implements AutoCloseable {

	private static final int CREATE_RULESET_VERSION = 1;

	private static final int RULE_PATH_BENEATH = 1;

	private static final int AT_FDCWD = -100;

	private static final long O_PATH = 0x200000;

	private static final long O_CLOEXEC = 0x80000;

	/** RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS. */
	private static final long NO_LINKS = 0x02 | 0x04;

	private final NativeLinux linux;

	private final int descriptor;

	private final boolean scoped;

	private boolean closed;

	private LandlockRuleset(NativeLinux linux, int descriptor, boolean scoped) {
		this.linux = linux;
		this.descriptor = descriptor;
		this.scoped = scoped;
	}

	/**
	 * Returns the version of the interface of the running kernel.
	 * @param linux the system calls
	 * @return the version
	 * @throws SystemCallException if Landlock is not there, is switched off, or a filter
	 * for system calls denies it
	 */
	public static int abi(NativeLinux linux) throws SystemCallException {
		return (int) linux.call(SystemCall.LANDLOCK_CREATE_RULESET, 0, 0, CREATE_RULESET_VERSION);
	}

	/**
	 * Creates a ruleset.
	 * @param linux the system calls
	 * @param rules the rules; none of their paths may contain a symbolic link
	 * @param abi the version of the interface to use, at most the kernel's
	 * @return the ruleset
	 * @throws IOException if the kernel refuses it, or a path does not exist
	 */
	public static LandlockRuleset create(NativeLinux linux, LandlockRules rules, int abi) throws IOException {
		ByteBuffer attributes = NativeLinux.memory(24)
			.putLong(rules.handledFiles(abi))
			.putLong(rules.handledNetwork(abi))
			.putLong(rules.scoped(abi));
		int descriptor = (int) linux.call(SystemCall.LANDLOCK_CREATE_RULESET, attributes.rewind(),
				LandlockRules.attributesSize(abi), 0);
		LandlockRuleset ruleset = new LandlockRuleset(linux, descriptor, rules.scoped(abi) != 0);
		try {
			for (LandlockRules.Rule rule : rules.rules()) {
				ruleset.add(rule);
			}
			return ruleset;
		}
		catch (IOException | RuntimeException ex) {
			ruleset.close();
			throw ex;
		}
	}

	private void add(LandlockRules.Rule rule) throws IOException {
		ByteBuffer how = NativeLinux.memory(24).putLong(O_PATH | O_CLOEXEC).putLong(0).putLong(NO_LINKS).rewind();
		int path = (int) this.linux.call(SystemCall.OPENAT2, AT_FDCWD, NativeLinux.text(rule.path().toString()), how,
				how.capacity());
		try {
			long access = rule.access(Files.isDirectory(rule.path(), LinkOption.NOFOLLOW_LINKS));
			ByteBuffer beneath = NativeLinux.memory(12).putLong(access).putInt(path).rewind();
			this.linux.call(SystemCall.LANDLOCK_ADD_RULE, this.descriptor, RULE_PATH_BENEATH, beneath, 0);
		}
		finally {
			this.linux.close(path);
		}
	}

	/**
	 * Restricts the calling thread, and every process and thread that it starts from now
	 * on, for good. It also never gains privileges any more. All other threads of the JVM
	 * are unaffected. A thread without access to files should not run anything that loads
	 * classes.
	 * @return the domain that the thread has entered
	 * @throws SystemCallException if the kernel refuses it; the thread is not restricted
	 * then
	 */
	public synchronized ThreadDomain restrictThread() throws SystemCallException {
		if (this.closed) {
			// another descriptor may have the number by now
			throw new SystemCallException(SystemCall.LANDLOCK_RESTRICT_SELF.name(), SystemCallException.EBADF);
		}
		// created first, since its class may not be found afterwards
		ThreadDomain domain = new ThreadDomain(this.linux, Thread.currentThread(), this.scoped);
		this.linux.refusePrivileges();
		this.linux.call(SystemCall.LANDLOCK_RESTRICT_SELF, this.descriptor, 0);
		return domain;
	}

	@Override
	public synchronized void close() {
		if (!this.closed) {
			this.closed = true;
			this.linux.close(this.descriptor);
		}
	}

}
