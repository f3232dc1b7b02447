package io.kairo.api.attack;

/**
 * Where one attack takes place: a backend, and a host with things that an attack must not
 * touch. Used by one thread, for one attack.
 *
 * @since 0.1.0
 */
public interface AttackScene {

	/**
	 * Asserts that what must not be touched is as it was. Called after every attack that
	 * did not succeed, before {@link #close()}.
	 * @throws Exception if that cannot be found out, which fails the test
	 */
	void assertUntouched() throws Exception;

	/**
	 * Closes the backend, and removes what a successful attack has left.
	 * @throws Exception if that fails, which fails the test
	 */
	void close() throws Exception;

	/**
	 * Asserts that nothing of the backend is left: no process, thread, open file, mount
	 * or file. Called after {@link #close()} of every attack that did not succeed.
	 * @throws Exception if that cannot be found out, which fails the test
	 */
	void assertNothingLeft() throws Exception;

	/**
	 * Returns what the attack has shown so far, for who reads why a test failed.
	 * @return evidence, such as the command that succeeded
	 */
	@Override
	String toString();

}
