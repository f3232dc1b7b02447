package io.kairo.test;

/**
 * A fake whose state belongs to one test. Beans of this type are reset before each test
 * method of a class with {@code @AutoConfigureKairo}.
 */
public interface Resettable {

	/**
	 * Removes everything that a test has set up, and forgets everything that it has done.
	 */
	void reset();

}
