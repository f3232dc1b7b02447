package io.kairo.linux;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules of a Landlock domain: the files that its processes can access, and whether
 * they have TCP. Everything that is not allowed is denied, as far as the kernel knows it,
 * see landlock(7). Processes of a domain can signal only each other, and connect only to
 * abstract sockets of each other, from version 6 of the interface. For use by one thread.
 */
public final class LandlockRules {

	/** The first version of the interface that restricts truncation: Linux 6.2. */
	public static final int LEAST_ABI = 3;

	/** The first version of the interface that restricts TCP: Linux 6.7. */
	public static final int NETWORK_ABI = 4;

	/** The first version of the interface that restricts signals: Linux 6.12. */
	public static final int SCOPE_ABI = 6;

	private static final int DEVICE_ABI = 5;

	private static final long EXECUTE = 1;

	private static final long WRITE_FILE = 1 << 1;

	private static final long READ_FILE = 1 << 2;

	private static final long READ_DIR = 1 << 3;

	private static final long MAKE_CHAR = 1 << 6;

	private static final long MAKE_BLOCK = 1 << 11;

	/**
	 * Moves and links between directories. Every ruleset denies it that does not allow
	 * it.
	 */
	private static final long REFER = 1 << 13;

	private static final long TRUNCATE = 1 << 14;

	/** All rights of version 3. */
	private static final long ALL_FILES = (1 << 15) - 1;

	private static final long IOCTL_DEV = 1 << 15;

	/** Binding and connecting. */
	private static final long ALL_TCP = 3;

	/** Abstract sockets and signals. */
	private static final long ALL_SCOPES = 3;

	private final List<Rule> rules = new ArrayList<>();

	private final boolean files;

	private final boolean tcp;

	private LandlockRules(boolean files, boolean tcp) {
		this.files = files;
		this.tcp = tcp;
	}

	/**
	 * Creates rules that deny all access to files.
	 * @param tcp whether processes can use TCP
	 * @return rules to add to
	 */
	public static LandlockRules ofFiles(boolean tcp) {
		return new LandlockRules(true, tcp);
	}

	/**
	 * Creates rules that restrict nothing but signals and abstract sockets.
	 * @return the rules
	 */
	public static LandlockRules ofScopeOnly() {
		return new LandlockRules(false, true).add(Path.of("/"), REFER);
	}

	/**
	 * Allows to read and execute a file, or everything below a directory.
	 * @param path an absolute path
	 * @return these rules
	 */
	public LandlockRules read(Path path) {
		return add(path, READ_FILE | READ_DIR | EXECUTE);
	}

	/**
	 * Allows every access to everything below a directory, except for creating devices.
	 * @param path an absolute path
	 * @return these rules
	 */
	public LandlockRules change(Path path) {
		return add(path, ALL_FILES & ~(MAKE_CHAR | MAKE_BLOCK));
	}

	/**
	 * Allows to read from and write to a file.
	 * @param path an absolute path
	 * @return these rules
	 */
	public LandlockRules write(Path path) {
		return add(path, READ_FILE | WRITE_FILE | TRUNCATE);
	}

	private LandlockRules add(Path path, long access) {
		this.rules.add(new Rule(path, access));
		return this;
	}

	/**
	 * Returns the rules for paths.
	 * @return an unmodifiable copy
	 */
	public List<Rule> rules() {
		return List.copyOf(this.rules);
	}

	/**
	 * Returns {@code handled_access_fs} of struct landlock_ruleset_attr.
	 * @param abi the version of the interface
	 * @return the bits
	 */
	public long handledFiles(int abi) {
		return this.files ? ALL_FILES | ((abi >= DEVICE_ABI) ? IOCTL_DEV : 0) : REFER;
	}

	/**
	 * Returns {@code handled_access_net} of struct landlock_ruleset_attr.
	 * @param abi the version of the interface
	 * @return the bits
	 */
	public long handledNetwork(int abi) {
		return (!this.tcp && abi >= NETWORK_ABI) ? ALL_TCP : 0;
	}

	/**
	 * Returns {@code scoped} of struct landlock_ruleset_attr.
	 * @param abi the version of the interface
	 * @return the bits
	 */
	public long scoped(int abi) {
		return (abi >= SCOPE_ABI) ? ALL_SCOPES : 0;
	}

	/**
	 * Returns the size of struct landlock_ruleset_attr.
	 * @param abi the version of the interface
	 * @return number of bytes that the kernel knows
	 */
	public static int attributesSize(int abi) {
		return (abi >= SCOPE_ABI) ? 24 : (abi >= NETWORK_ABI) ? 16 : 8;
	}

	/**
	 * A rule for a path.
	 *
	 * @param path the path of a file or directory
	 * @param access the rights that it allows
	 */
	public record Rule(Path path, long access) {

		/** The rights that a file can have; the kernel refuses the others. */
		private static final long OF_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV;

		/**
		 * Returns the rights that apply.
		 * @param directory whether the path is a directory
		 * @return the bits
		 */
		public long access(boolean directory) {
			return directory ? this.access : this.access & OF_FILES;
		}

	}

}
