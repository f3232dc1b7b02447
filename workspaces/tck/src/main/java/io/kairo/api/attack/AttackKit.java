package io.kairo.api.attack;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that perform every attack of a corpus on a backend, each in a scene of its own,
 * and assert the outcome that the backend declares. By default an attack must be held. An
 * attack that is held although it is declared otherwise also fails the test.
 *
 * @param <S> the type of the scene
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
public abstract class AttackKit<S extends AttackScene> {

	/**
	 * Creates the kit.
	 */
	protected AttackKit() {
	}

	/**
	 * Returns the corpus.
	 * @return the attacks, with unique ids
	 */
	protected abstract List<Attack<S>> attacks();

	/**
	 * Opens a scene.
	 * @return a scene for one attack
	 * @throws Exception if the backend cannot be created; this fails the test
	 */
	protected abstract S openScene() throws Exception;

	/**
	 * Returns the attacks that the backend does not simply hold.
	 * @return the declarations by the ids of attacks, empty by default
	 */
	protected Map<String, Declared> declared() {
		return Map.of();
	}

	/**
	 * Returns the column that outcomes are published in.
	 * @return a column of a page that must agree with the declarations; null for none, as
	 * by default
	 */
	protected @Nullable AttackColumn column() {
		return null;
	}

	/**
	 * Performs one attack.
	 * @param attack an attack of the corpus
	 * @throws Exception if it cannot be performed
	 */
	@ParameterizedTest
	@MethodSource("attacks")
	protected void endsAsDeclared(Attack<S> attack) throws Exception {
		Declared declared = declared().get(attack.id());
		Assumptions.assumeFalse(declared != null && declared.how() == Declared.How.NOT_RUN,
				() -> "NOT HELD, NOT RUN: " + attack.description());
		S scene = openScene();
		Finding finding;
		try {
			finding = attack.probe().attempt(scene);
			if (finding != Finding.BROKEN) {
				scene.assertUntouched();
			}
		}
		finally {
			scene.close();
		}
		if (finding != Finding.BROKEN) {
			scene.assertNothingLeft();
		}
		assertDeclared(attack.group().title() + ": " + attack.description() + " " + scene, declared, finding);
	}

	private static void assertDeclared(String what, @Nullable Declared declared, Finding finding) {
		if (declared == null) {
			assertThat(finding).as(what).isEqualTo(Finding.HELD);
			return;
		}
		switch (declared.how()) {
			case NOT_HELD -> assertThat(finding).as("%s - declared not to be held (%s)", what, declared.reason())
				.isEqualTo(Finding.BROKEN);
			case ABSENT ->
				assertThat(finding).as("%s - declared absent (%s)", what, declared.reason()).isEqualTo(Finding.ABSENT);
			default -> assertThat(finding).as(what).isIn(Finding.HELD, Finding.BROKEN);
		}
	}

	@Test
	void attackIdsAreUnique() {
		assertThat(attacks()).isNotEmpty().extracting(Attack::id).doesNotHaveDuplicates();
	}

	@Test
	void declaredAttacksAreInCorpus() {
		assertThat(attacks()).extracting(Attack::id).containsAll(declared().keySet());
	}

	@Test
	void pageAgreesWithDeclarations() throws IOException {
		AttackColumn column = column();
		if (column != null) {
			column.assertSays(attacks(), declared());
		}
	}

}
