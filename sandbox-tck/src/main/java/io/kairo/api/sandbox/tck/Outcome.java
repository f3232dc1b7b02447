package io.kairo.api.sandbox.tck;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.kairo.api.sandbox.SandboxExit;

/**
 * What came of a command.
 *
 * @param exit how it ended
 * @param stdout what it wrote to its standard output
 * @param stderr what it wrote to its standard error
 * @param discarded how many bytes were not retained
 * @param took the time from its start to its exit
 */
record Outcome(SandboxExit exit, byte[] stdout, byte[] stderr, long discarded, Duration took) {

	String out() {
		return new String(this.stdout, StandardCharsets.UTF_8);
	}

	String err() {
		return new String(this.stderr, StandardCharsets.UTF_8);
	}

}
