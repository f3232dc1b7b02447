package io.kairo.api.attack;

import java.util.Objects;

/**
 * Something that an agent, or who has got hold of one, may try. Immutable.
 *
 * @param <S> where it takes place
 * @param id a name that does not change, such as {@code link-to-file}
 * @param group what it aims at
 * @param description what it tries, for people to read
 * @param held what becomes of it where a backend holds
 * @param probe how it is tried
 * @since 0.1.0
 */
public record Attack<S extends AttackScene>(String id, AttackGroup group, String description, AttackOutcome held,
		Probe<S> probe) {

	/**
	 * Creates the value.
	 * @param id a name that does not change
	 * @param group what it aims at
	 * @param description what it tries
	 * @param held what becomes of it where a backend holds
	 * @param probe how it is tried
	 */
	public Attack {
		Objects.requireNonNull(group, "group");
		if (!id.matches("[a-z0-9-]+")) {
			throw new IllegalArgumentException("'" + id + "' is no id: use small letters, digits and hyphens");
		}
		if (held == AttackOutcome.NOT_HELD) {
			throw new IllegalArgumentException("An attack that nobody could hold against tests nothing");
		}
	}

	@Override
	public String toString() {
		return this.id;
	}

	/**
	 * Tries an attack.
	 *
	 * @param <S> where it takes place
	 */
	@FunctionalInterface
	public interface Probe<S extends AttackScene> {

		/**
		 * Tries it, and asserts that it really took place.
		 * @param scene where it takes place
		 * @return what it has shown
		 * @throws Exception if it could not be tried, which fails the test
		 */
		Finding attempt(S scene) throws Exception;

	}

}
