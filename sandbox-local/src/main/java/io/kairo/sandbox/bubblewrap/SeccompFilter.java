package io.kairo.sandbox.bubblewrap;

import io.kairo.sandbox.bubblewrap.BubblewrapOptions.UnixSockets;

/**
 * Makes the system call filter of commands. What it denies is what the research on
 * sandboxes for agents and the default profiles of container engines deny. The order of
 * bytes of both processors is little endian, so the lower half of an argument comes
 * first.
 */
final class SeccompFilter {

	static final int ALLOW = 0x7FFF0000;

	static final int KILL_PROCESS = 0x80000000;

	private static final int ERRNO = 0x00050000;

	static final int EPERM = ERRNO | 1;

	static final int ENOSYS = ERRNO | 38;

	private static final int NUMBER = 0;

	private static final int ARCHITECTURE = 4;

	private static final int FIRST_ARGUMENT = 16;

	private static final int SECOND_ARGUMENT = 24;

	/**
	 * CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET of sched.h.
	 */
	private static final int NAMESPACES = 0x7E020000;

	private static final int AF_UNIX = 1;

	private static final int AF_INET = 2;

	private static final int AF_INET6 = 10;

	private static final int SOCK_STREAM = 1;

	private static final int SOCK_SEQPACKET = 5;

	/** Without SOCK_NONBLOCK and SOCK_CLOEXEC. */
	private static final int SOCKET_TYPE = 0xF;

	/** Types into the terminal. */
	private static final int TIOCSTI = 0x5412;

	/** Types into the console. */
	private static final int TIOCLINUX = 0x541C;

	private SeccompFilter() {
	}

	/**
	 * Returns the filter for a processor.
	 */
	static byte[] create(SeccompArchitecture architecture, UnixSockets unixSockets) {
		BpfProgram program = new BpfProgram();
		program.load(ARCHITECTURE);
		program.giveBackUnlessEqual(architecture.audit(), KILL_PROCESS);
		program.load(NUMBER);
		if (architecture.foreign() != 0) {
			program.giveBackIfAtLeast((int) architecture.foreign(), ENOSYS);
		}
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(architecture) >= 0) {
				program.giveBackIfEqual(call.number(architecture), EPERM);
			}
		}
		for (JudgedCall call : JudgedCall.values()) {
			program.ifEqual(call.number(architecture), judge(call, unixSockets));
		}
		program.giveBack(ALLOW);
		return program.toBytes();
	}

	private static BpfProgram judge(JudgedCall call, UnixSockets unixSockets) {
		BpfProgram program = new BpfProgram();
		switch (call) {
			case CLONE3 -> program.giveBack(ENOSYS);
			case CLONE, UNSHARE -> {
				program.load(FIRST_ARGUMENT);
				program.and(NAMESPACES);
				program.giveBackIfEqual(0, ALLOW);
				program.giveBack(EPERM);
			}
			case SOCKET -> {
				program.load(FIRST_ARGUMENT);
				program.giveBackIfEqual(AF_INET, ALLOW);
				program.giveBackIfEqual(AF_INET6, ALLOW);
				program.giveBackIfEqual(AF_UNIX, (unixSockets == UnixSockets.ALLOWED) ? ALLOW : EPERM);
				program.giveBack(EPERM);
			}
			case SOCKETPAIR -> {
				program.load(FIRST_ARGUMENT);
				program.giveBackUnlessEqual(AF_UNIX, EPERM);
				program.load(SECOND_ARGUMENT);
				program.and(SOCKET_TYPE);
				// all others are for datagrams, and send to any socket that they can name
				program.giveBackIfEqual(SOCK_STREAM, ALLOW);
				program.giveBackIfEqual(SOCK_SEQPACKET, ALLOW);
				program.giveBack((unixSockets == UnixSockets.ALLOWED) ? ALLOW : EPERM);
			}
			case IOCTL -> {
				program.load(SECOND_ARGUMENT);
				program.giveBackIfEqual(TIOCSTI, EPERM);
				program.giveBackIfEqual(TIOCLINUX, EPERM);
				program.giveBack(ALLOW);
			}
		}
		return program;
	}

}
