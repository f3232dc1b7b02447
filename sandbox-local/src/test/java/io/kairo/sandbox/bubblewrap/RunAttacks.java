package io.kairo.sandbox.bubblewrap;

import io.kairo.api.attack.Attack;
import io.kairo.api.sandbox.tck.SandboxScene;
import org.opentest4j.TestAbortedException;

/**
 * A program that tries every attack, and prints a line for each that does not end as
 * declared, and in the end how many do, for a test to run as another user.
 */
final class RunAttacks extends BubblewrapAttackTests {

	private RunAttacks() {
	}

	public static void main(String[] args) {
		RunAttacks attacks = new RunAttacks();
		int held = 0;
		for (Attack<SandboxScene> attack : attacks.attacks()) {
			try {
				attacks.endsAsDeclared(attack);
				held++;
			}
			catch (TestAbortedException ex) {
				System.out.println("NOT RUN " + attack);
			}
			catch (Exception | AssertionError ex) {
				System.out.println("FAILED " + attack + " " + ex.toString().replaceAll("\\s+", " "));
			}
		}
		System.out.println("as declared: " + held + " of " + attacks.attacks().size());
		System.exit(0);
	}

}
