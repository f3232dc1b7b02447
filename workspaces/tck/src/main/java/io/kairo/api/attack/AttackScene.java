package io.kairo.api.attack;

/**
 * The scene of one attack: a backend, and a host with files that an attack must not
 * touch. For use by one thread and one attack.
 */
public interface AttackScene {

	/**
	 * Asserts that the protected files are unchanged. Called after every attack that did
	 * not succeed, before {@link #close()}.
	 * @throws Exception if that cannot be determined; this fails the test
	 */
	void assertUntouched() throws Exception;

	/**
	 * Closes the backend, and removes the remains of a successful attack.
	 * @throws Exception if that fails; the test then fails
	 */
	void close() throws Exception;

	/**
	 * Asserts that the backend has left no process, thread, open file, mount or file.
	 * Called after {@link #close()} of every attack that did not succeed.
	 * @throws Exception if that cannot be determined; this fails the test
	 */
	void assertNothingLeft() throws Exception;

	/**
	 * Returns the evidence of the attack so far, for the message of a failed test.
	 * @return the evidence, such as the command that succeeded
	 */
	@Override
	String toString();

}
