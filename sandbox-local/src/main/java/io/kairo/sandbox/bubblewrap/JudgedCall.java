package io.kairo.sandbox.bubblewrap;

/**
 * System calls whose arguments decide whether they are allowed, or that fail in a way of
 * their own.
 */
enum JudgedCall {

	/** Fails as if the kernel did not know it, so that libraries use {@link #CLONE}. */
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
