package io.kairo.api.attack;

import java.util.Objects;

/**
 * An attack that an agent, or an attacker in control of one, may attempt. Immutable.
 *
 * @param <S> the type of the scene
 * @param id a stable name, such as {@code link-to-file}
 * @param group the aim of the attack
 * @param description a description for readers
 * @param held the outcome if a backend holds
 * @param probe performs the attack
 */
public record Attack<S extends AttackScene>(String id, AttackGroup group, String description, AttackOutcome held,
		Probe<S> probe) {

	/**
	 * Creates the value.
	 */
	public Attack {
		Objects.requireNonNull(group, "group");
		if (!id.matches("[a-z0-9-]+")) {
			throw new IllegalArgumentException("'" + id + "' is not an id: use lower-case letters, digits and hyphens");
		}
		if (held == AttackOutcome.NOT_HELD) {
			throw new IllegalArgumentException("An attack that no backend could hold tests nothing");
		}
	}

	@Override
	public String toString() {
		return this.id;
	}

	/**
	 * Performs an attack.
	 * 
	 * @param <S> the type of the scene
	 */
	@FunctionalInterface
	public interface Probe<S extends AttackScene> {

		/**
		 * Performs the attack, and asserts that it really took place.
		 * @param scene the scene
		 * @return the finding
		 * @throws Exception if it could not be performed; this fails the test
		 */
		Finding attempt(S scene) throws Exception;

	}

}
