package io.kairo.linux;

/**
 * A range of process ids. The kernel assigns them in ascending order, also to threads.
 */
public final class ProcessIds {

	private ProcessIds() {
	}

	/**
	 * Returns whether no process has one of the ids. Threads of this JVM may have them.
	 * @param linux the system calls
	 * @param first the first id of the range, above zero
	 * @param last the last id
	 * @return false if a process or a thread of another process has one of them, also if
	 * it belongs to another user or is a zombie
	 */
	public static boolean areFree(NativeLinux linux, long first, long last) {
		long self = ProcessHandle.current().pid();
		for (long id = first; id <= last; id++) {
			boolean used = linux.calls().call(SystemCall.KILL, id, 0) != -SystemCallException.ESRCH;
			if (used && linux.calls().call(SystemCall.TGKILL, self, id, 0) != 0) {
				return false;
			}
		}
		return true;
	}

}
