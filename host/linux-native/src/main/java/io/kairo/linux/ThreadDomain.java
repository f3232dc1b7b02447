package io.kairo.linux;

/**
 * A Landlock domain that a thread of this JVM has entered.
 */
public final class ThreadDomain {

	private static final int EVERY_PROCESS = -1;

	private static final int SIGKILL = 9;

	private final NativeLinux linux;

	private final Thread thread;

	private final boolean scoped;

	ThreadDomain(NativeLinux linux, Thread thread, boolean scoped) {
		this.linux = linux;
		this.thread = thread;
		this.scoped = scoped;
	}

	/**
	 * Kills every process of the domain, and of domains that such processes have entered
	 * from here. A process cannot escape by starting others: the kernel lets none be
	 * started while it sends the signals.
	 * @throws IllegalStateException if the calling thread is not the thread of the
	 * domain, or the domain does not confine signals: they would reach every process of
	 * the user
	 */
	public void killAll() {
		if (!this.scoped || Thread.currentThread() != this.thread) {
			throw new IllegalStateException("This thread is in no domain that confines signals");
		}
		this.linux.calls().call(SystemCall.KILL, EVERY_PROCESS, SIGKILL);
	}

}
