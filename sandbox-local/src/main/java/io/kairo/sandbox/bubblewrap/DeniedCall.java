package io.kairo.sandbox.bubblewrap;

/**
 * System calls that no command needs, with their numbers, see the tables
 * {@code unistd_64.h} and {@code asm-generic/unistd.h} of Linux. They fail with EPERM.
 */
enum DeniedCall {

	// looks into or takes over other processes
	PTRACE(101, 117), PROCESS_VM_READV(310, 270), PROCESS_VM_WRITEV(311, 271), KCMP(312, 272), PIDFD_GETFD(438, 438),
	PROCESS_MADVISE(440, 440),
	// keys of the kernel
	KEYCTL(250, 219), ADD_KEY(248, 217), REQUEST_KEY(249, 218),
	// large and often attacked parts of the kernel
	BPF(321, 280), PERF_EVENT_OPEN(298, 241), USERFAULTFD(323, 282), IO_URING_SETUP(425, 425), IO_URING_ENTER(426, 426),
	IO_URING_REGISTER(427, 427), FANOTIFY_INIT(300, 262),
	// mounts and roots
	MOUNT(165, 40), UMOUNT2(166, 39), PIVOT_ROOT(155, 41), CHROOT(161, 51), FSOPEN(430, 430), FSCONFIG(431, 431),
	FSMOUNT(432, 432), FSPICK(433, 433), OPEN_TREE(428, 428), MOVE_MOUNT(429, 429), MOUNT_SETATTR(442, 442),
	OPEN_TREE_ATTR(467, 467),
	// other namespaces, files without paths
	SETNS(308, 268), OPEN_BY_HANDLE_AT(304, 265), NAME_TO_HANDLE_AT(303, 264),
	// the machine
	KEXEC_LOAD(246, 104), KEXEC_FILE_LOAD(320, 294), INIT_MODULE(175, 105), FINIT_MODULE(313, 273),
	DELETE_MODULE(176, 106), REBOOT(169, 142), SWAPON(167, 224), SWAPOFF(168, 225), ACCT(163, 89), QUOTACTL(179, 60),
	QUOTACTL_FD(443, 443), SYSLOG(103, 116), SETTIMEOFDAY(164, 170), CLOCK_SETTIME(227, 112), ADJTIMEX(159, 171),
	CLOCK_ADJTIME(305, 266), VHANGUP(153, 58),
	// what is out of use
	IOPL(172, -1), IOPERM(173, -1), MODIFY_LDT(154, -1), NFSSERVCTL(180, 42), LOOKUP_DCOOKIE(212, 18), USELIB(134, -1);

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
