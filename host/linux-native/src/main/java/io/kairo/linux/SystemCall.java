package io.kairo.linux;

/**
 * A system call with its numbers, see {@code unistd_64.h} for x86-64 and
 * {@code asm-generic/unistd.h} for aarch64. The latter are taken from the kernel's table
 * and have not been run.
 */
enum SystemCall {

	CLOSE(3, 57), GETPID(39, 172), GETTID(186, 178), KILL(62, 129), TGKILL(234, 131), WAIT4(61, 260),
	PIDFD_OPEN(434, 434), OPENAT2(437, 437), PIPE2(293, 59), PPOLL(271, 73), FCNTL(72, 25), READ(0, 63), WRITE(1, 64),
	PREAD64(17, 67), STATX(332, 291), GETDENTS64(217, 61), PRCTL(157, 167), SECCOMP(317, 277),
	LANDLOCK_CREATE_RULESET(444, 444), LANDLOCK_ADD_RULE(445, 445), LANDLOCK_RESTRICT_SELF(446, 446);

	private final int x86;

	private final int arm;

	SystemCall(int x86, int arm) {
		this.x86 = x86;
		this.arm = arm;
	}

	/**
	 * Returns the number of the call.
	 */
	int number(Processor processor) {
		return (processor == Processor.X86_64) ? this.x86 : this.arm;
	}

}
