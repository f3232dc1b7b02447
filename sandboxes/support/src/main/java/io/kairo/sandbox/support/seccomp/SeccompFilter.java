package io.kairo.sandbox.support.seccomp;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Creates the system call filter of commands. It denies the calls that the default
 * profiles of container engines, and research on sandboxes for agents, deny. Both
 * processors are little-endian, so the lower half of an argument comes first.
 */
public final class SeccompFilter {

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

	/** Of setpriority(2). */
	private static final int PRIO_PROCESS = 0;

	/** Of ioprio_set(2). */
	private static final int IOPRIO_WHO_PROCESS = 1;

	/** Types into the terminal. */
	private static final int TIOCSTI = 0x5412;

	/** Types into the console. */
	private static final int TIOCLINUX = 0x541C;

	private SeccompFilter() {
	}

	/**
	 * Returns the filter for a processor.
	 * @param architecture the processor
	 * @param allowed the facilities that commands can use
	 * @return the instructions, in the format of seccomp(2)
	 */
	public static byte[] create(SeccompArchitecture architecture, Set<Facility> allowed) {
		BpfProgram program = new BpfProgram();
		program.load(ARCHITECTURE);
		program.returnUnlessEqual(architecture.audit(), KILL_PROCESS);
		program.load(NUMBER);
		if (architecture.foreign() != 0) {
			program.returnIfAtLeast((int) architecture.foreign(), ENOSYS);
		}
		for (DeniedCall call : DeniedCall.values()) {
			if (call.number(architecture) >= 0 && !call.isPartOf(allowed)) {
				program.returnIfEqual(call.number(architecture), EPERM);
			}
		}
		for (JudgedCall call : JudgedCall.values()) {
			program.ifEqual(call.number(architecture), judge(call, allowed));
		}
		program.returnResult(ALLOW);
		return program.toBytes();
	}

	private static BpfProgram judge(JudgedCall call, Set<Facility> allowed) {
		BpfProgram program = new BpfProgram();
		switch (call) {
			case CLONE3 -> program.returnResult(ENOSYS);
			case CLONE, UNSHARE -> {
				program.load(FIRST_ARGUMENT);
				program.and(NAMESPACES);
				program.returnIfEqual(0, ALLOW);
				program.returnResult(EPERM);
			}
			case SOCKET -> {
				program.load(FIRST_ARGUMENT);
				int internet = result(Facility.INTERNET_SOCKETS, allowed);
				program.returnIfEqual(AF_INET, internet);
				program.returnIfEqual(AF_INET6, internet);
				program.returnIfEqual(AF_UNIX, result(Facility.UNIX_SOCKETS, allowed));
				program.returnResult(EPERM);
			}
			case SOCKETPAIR -> {
				program.load(FIRST_ARGUMENT);
				program.returnUnlessEqual(AF_UNIX, EPERM);
				program.load(SECOND_ARGUMENT);
				program.and(SOCKET_TYPE);
				// other types are for datagrams and can send to any socket with a name
				program.returnIfEqual(SOCK_STREAM, ALLOW);
				program.returnIfEqual(SOCK_SEQPACKET, ALLOW);
				program.returnResult(result(Facility.UNIX_SOCKETS, allowed));
			}
			case PRLIMIT64, SCHED_SETAFFINITY, SCHED_SETSCHEDULER, SCHED_SETPARAM, SCHED_SETATTR, MIGRATE_PAGES,
					MOVE_PAGES -> {
				program.load(FIRST_ARGUMENT);
				program.returnIfEqual(0, ALLOW);
				program.returnResult(result(Facility.OTHER_PROCESSES, allowed));
			}
			case SETPRIORITY, IOPRIO_SET -> {
				program.load(FIRST_ARGUMENT);
				int process = (call == JudgedCall.SETPRIORITY) ? PRIO_PROCESS : IOPRIO_WHO_PROCESS;
				program.returnUnlessEqual(process, result(Facility.OTHER_PROCESSES, allowed));
				program.load(SECOND_ARGUMENT);
				program.returnIfEqual(0, ALLOW);
				program.returnResult(result(Facility.OTHER_PROCESSES, allowed));
			}
			case IOCTL -> {
				program.load(SECOND_ARGUMENT);
				program.returnIfEqual(TIOCSTI, EPERM);
				program.returnIfEqual(TIOCLINUX, EPERM);
				program.returnResult(ALLOW);
			}
		}
		return program;
	}

	private static int result(Facility facility, Set<Facility> allowed) {
		return allowed.contains(facility) ? ALLOW : EPERM;
	}

	/**
	 * A facility of the kernel that is denied unless a backend allows it, since it
	 * confines the facility by other means.
	 */
	public enum Facility {

		/** Unix domain sockets other than connected pairs. */
		UNIX_SOCKETS,

		/** Sockets of IPv4 and IPv6. */
		INTERNET_SOCKETS,

		/** Shared memory, semaphores and message queues with names. */
		NAMED_IPC,

		/** Changes of permissions, owners, times and extended attributes of files. */
		FILE_ATTRIBUTES,

		/** Notification of events of files and directories (inotify). */
		FILE_EVENTS,

		/**
		 * Priorities, processors, memory and limits of other processes than the caller.
		 */
		OTHER_PROCESSES

	}

	/**
	 * System calls that fail with EPERM, with their numbers, see the tables
	 * {@code unistd_64.h} and {@code asm-generic/unistd.h} of Linux.
	 */
	enum DeniedCall {

		// inspect or control other processes
		PTRACE(101, 117), PROCESS_VM_READV(310, 270), PROCESS_VM_WRITEV(311, 271), KCMP(312, 272),
		PIDFD_GETFD(438, 438), PROCESS_MADVISE(440, 440),
		// keyrings of the kernel
		KEYCTL(250, 219), ADD_KEY(248, 217), REQUEST_KEY(249, 218),
		// large and frequently attacked subsystems of the kernel
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
		// obsolete calls
		IOPL(172, -1), IOPERM(173, -1), MODIFY_LDT(154, -1), NFSSERVCTL(180, 42), LOOKUP_DCOOKIE(212, 18),
		USELIB(134, -1),

		// with the name of a facility
		SHMGET(29, 194, Facility.NAMED_IPC), SHMAT(30, 196, Facility.NAMED_IPC), SHMCTL(31, 195, Facility.NAMED_IPC),
		SEMGET(64, 190, Facility.NAMED_IPC), SEMOP(65, 193, Facility.NAMED_IPC), SEMCTL(66, 191, Facility.NAMED_IPC),
		SEMTIMEDOP(220, 192, Facility.NAMED_IPC), MSGGET(68, 186, Facility.NAMED_IPC),
		MSGSND(69, 189, Facility.NAMED_IPC), MSGRCV(70, 188, Facility.NAMED_IPC), MSGCTL(71, 187, Facility.NAMED_IPC),
		MQ_OPEN(240, 180, Facility.NAMED_IPC), MQ_UNLINK(241, 181, Facility.NAMED_IPC),

		CHMOD(90, -1, Facility.FILE_ATTRIBUTES), FCHMOD(91, 52, Facility.FILE_ATTRIBUTES),
		FCHMODAT(268, 53, Facility.FILE_ATTRIBUTES), FCHMODAT2(452, 452, Facility.FILE_ATTRIBUTES),
		CHOWN(92, -1, Facility.FILE_ATTRIBUTES), FCHOWN(93, 55, Facility.FILE_ATTRIBUTES),
		LCHOWN(94, -1, Facility.FILE_ATTRIBUTES), FCHOWNAT(260, 54, Facility.FILE_ATTRIBUTES),
		UTIME(132, -1, Facility.FILE_ATTRIBUTES), UTIMES(235, -1, Facility.FILE_ATTRIBUTES),
		FUTIMESAT(261, -1, Facility.FILE_ATTRIBUTES), UTIMENSAT(280, 88, Facility.FILE_ATTRIBUTES),
		SETXATTR(188, 5, Facility.FILE_ATTRIBUTES), LSETXATTR(189, 6, Facility.FILE_ATTRIBUTES),
		FSETXATTR(190, 7, Facility.FILE_ATTRIBUTES), REMOVEXATTR(197, 14, Facility.FILE_ATTRIBUTES),
		LREMOVEXATTR(198, 15, Facility.FILE_ATTRIBUTES), FREMOVEXATTR(199, 16, Facility.FILE_ATTRIBUTES),
		SETXATTRAT(463, 463, Facility.FILE_ATTRIBUTES), REMOVEXATTRAT(466, 466, Facility.FILE_ATTRIBUTES),
		FILE_SETATTR(469, 469, Facility.FILE_ATTRIBUTES),

		INOTIFY_INIT(253, -1, Facility.FILE_EVENTS), INOTIFY_INIT1(294, 26, Facility.FILE_EVENTS);

		private final int x86;

		private final int arm;

		private final @Nullable Facility facility;

		DeniedCall(int x86, int arm) {
			this(x86, arm, null);
		}

		DeniedCall(int x86, int arm, @Nullable Facility facility) {
			this.x86 = x86;
			this.arm = arm;
			this.facility = facility;
		}

		/**
		 * Returns the facility that the call belongs to, or null if it is always denied.
		 */
		@Nullable Facility facility() {
			return this.facility;
		}

		private boolean isPartOf(Set<Facility> facilities) {
			return this.facility != null && facilities.contains(this.facility);
		}

		/**
		 * Returns the number of the call, or -1 if the processor does not have it.
		 */
		int number(SeccompArchitecture architecture) {
			return (architecture == SeccompArchitecture.X86_64) ? this.x86 : this.arm;
		}

	}

	/**
	 * System calls that are allowed depending on their arguments, or that fail with
	 * another error than EPERM.
	 */
	enum JudgedCall {

		/**
		 * Fails as if the kernel did not have it, so that libraries use {@link #CLONE}.
		 */
		CLONE3(435, 435),

		/** The first argument contains the namespaces to create. */
		CLONE(56, 220),

		/** The first argument contains the namespaces to create. */
		UNSHARE(272, 97),

		/** The first argument is the address family. */
		SOCKET(41, 198),

		/** The first argument is the address family. */
		SOCKETPAIR(53, 199),

		/** The first argument is the process, zero for the caller. */
		PRLIMIT64(302, 261),

		/** The first argument is the process, zero for the caller. */
		SCHED_SETAFFINITY(203, 122),

		/** The first argument is the process, zero for the caller. */
		SCHED_SETSCHEDULER(144, 119),

		/** The first argument is the process, zero for the caller. */
		SCHED_SETPARAM(142, 118),

		/** The first argument is the process, zero for the caller. */
		SCHED_SETATTR(314, 274),

		/** The first argument is the process, zero for the caller. */
		MIGRATE_PAGES(256, 238),

		/** The first argument is the process, zero for the caller. */
		MOVE_PAGES(279, 239),

		/**
		 * The first argument is the kind of the second. The second is zero for the
		 * caller.
		 */
		SETPRIORITY(141, 140),

		/**
		 * The first argument is the kind of the second. The second is zero for the
		 * caller.
		 */
		IOPRIO_SET(251, 30),

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
