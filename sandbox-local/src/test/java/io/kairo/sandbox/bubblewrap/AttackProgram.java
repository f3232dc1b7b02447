package io.kairo.sandbox.bubblewrap;

import io.kairo.api.attack.Attack;
import io.kairo.api.sandbox.tck.SandboxScene;
import org.opentest4j.TestAbortedException;

/**
 * A program that runs every attack. It prints a line for each attack that does not end as
 * declared or is not run, and finally the number of attacks that end as declared. Tests
 * start it as another user.
 */
final class AttackProgram extends BubblewrapAttackTests {

	private AttackProgram() {
	}

	public static void main(String[] args) {
		AttackProgram attacks = new AttackProgram();
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
