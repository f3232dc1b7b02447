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

	/**
	 * System calls that no command needs, with their numbers, see the tables
	 * {@code unistd_64.h} and {@code asm-generic/unistd.h} of Linux. They fail with
	 * EPERM.
	 */
	enum DeniedCall {

		// looks into or takes over other processes
		PTRACE(101, 117), PROCESS_VM_READV(310, 270), PROCESS_VM_WRITEV(311, 271), KCMP(312, 272),
		PIDFD_GETFD(438, 438), PROCESS_MADVISE(440, 440),
		// keys of the kernel
		KEYCTL(250, 219), ADD_KEY(248, 217), REQUEST_KEY(249, 218),
		// large and often attacked parts of the kernel
		BPF(321, 280), PERF_EVENT_OPEN(298, 241), USERFAULTFD(323, 282), IO_URING_SETUP(425, 425),
		IO_URING_ENTER(426, 426), IO_URING_REGISTER(427, 427), FANOTIFY_INIT(300, 262),
		// mounts and roots
		MOUNT(165, 40), UMOUNT2(166, 39), PIVOT_ROOT(155, 41), CHROOT(161, 51), FSOPEN(430, 430), FSCONFIG(431, 431),
		FSMOUNT(432, 432), FSPICK(433, 433), OPEN_TREE(428, 428), MOVE_MOUNT(429, 429), MOUNT_SETATTR(442, 442),
		OPEN_TREE_ATTR(467, 467),
		// other namespaces, files without paths
		SETNS(308, 268), OPEN_BY_HANDLE_AT(304, 265), NAME_TO_HANDLE_AT(303, 264),
		// the machine
		KEXEC_LOAD(246, 104), KEXEC_FILE_LOAD(320, 294), INIT_MODULE(175, 105), FINIT_MODULE(313, 273),
		DELETE_MODULE(176, 106), REBOOT(169, 142), SWAPON(167, 224), SWAPOFF(168, 225), ACCT(163, 89),
		QUOTACTL(179, 60), QUOTACTL_FD(443, 443), SYSLOG(103, 116), SETTIMEOFDAY(164, 170), CLOCK_SETTIME(227, 112),
		ADJTIMEX(159, 171), CLOCK_ADJTIME(305, 266), VHANGUP(153, 58),
		// what is out of use
		IOPL(172, -1), IOPERM(173, -1), MODIFY_LDT(154, -1), NFSSERVCTL(180, 42), LOOKUP_DCOOKIE(212, 18),
		USELIB(134, -1);

		private final int x86;

		private final int arm;

		DeniedCall(int x86, int arm) {
			this.x86 = x86;
			this.arm = arm;
		}

		/**
		 * Returns the number of the call, -1 if that processor does not have it.
		 */
		int number(SeccompArchitecture architecture) {
			return (architecture == SeccompArchitecture.X86_64) ? this.x86 : this.arm;
		}

	}

	/**
	 * System calls whose arguments decide whether they are allowed, or that fail in a way
	 * of their own.
	 */
	enum JudgedCall {

		/**
		 * Fails as if the kernel did not know it, so that libraries use {@link #CLONE}.
		 */
		CLONE3(435, 435),

		/** The first argument has the namespaces to make. */
		CLONE(56, 220),

		/** The first argument has the namespaces to make. */
		UNSHARE(272, 97),

		/** The first argument is the family. */
		SOCKET(41, 198),

		/** The first argument is the family. */
		SOCKETPAIR(53, 199),

		/** The second argument is the request. */
		IOCTL(16, 29);

		private final int x86;

		private final int arm;

		JudgedCall(int x86, int arm) {
			this.x86 = x86;
			this.arm = arm;
		}

		int number(SeccompArchitecture architecture) {
			return (architecture == SeccompArchitecture.X86_64) ? this.x86 : this.arm;
		}

	}

}
