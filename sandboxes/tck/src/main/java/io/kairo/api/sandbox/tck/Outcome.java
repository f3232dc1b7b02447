package io.kairo.api.sandbox.tck;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.kairo.api.sandbox.SandboxExit;

/**
 * The outcome of a command.
 * 
 * @param exit the exit
 * @param stdout the standard output
 * @param stderr the standard error
 * @param discarded number of bytes that were not retained
 * @param took the time from start to exit
 */
record Outcome(SandboxExit exit, byte[] stdout, byte[] stderr, long discarded, Duration took) {

	String out() {
		return new String(this.stdout, StandardCharsets.UTF_8);
	}

	String err() {
		return new String(this.stderr, StandardCharsets.UTF_8);
	}

}
