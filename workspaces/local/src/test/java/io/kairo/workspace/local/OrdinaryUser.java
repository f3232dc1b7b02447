package io.kairo.workspace.local;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

/**
 * The requirement of tests in which access is denied, which never happens to root.
 */
public final class OrdinaryUser {

	private static final String NAME = "ordinary-user";

	private OrdinaryUser() {
	}

	/**
	 * Skips the test with a printed reason unless the requirement is met. Fails it if the
	 * environment variable {@code KAIRO_REQUIRE} demands the requirement.
	 */
	public static void required(boolean met) {
		if (!met) {
			String required = System.getenv().getOrDefault("KAIRO_REQUIRE", "");
			assertThat(List.of(required.split(","))).as("KAIRO_REQUIRE, but the tests run as root")
				.doesNotContain(NAME);
			System.out.println("SKIPPED: needs an ordinary user, and the tests run as root");
			abort("needs an ordinary user, and the tests run as root");
		}
	}

}
