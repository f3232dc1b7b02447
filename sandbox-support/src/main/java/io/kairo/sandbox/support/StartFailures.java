package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;

/**
 * Explains why the operating system did not start a process, by the error number in the
 * message of the Java platform.
 */
final class StartFailures {

	/** The error number in the formats of Java 17 and Java 25. */
	private static final Pattern E2BIG = Pattern.compile("error(=7,|: 7 )");

	private StartFailures() {
	}

	static SandboxException explain(Exception failure, Path directory) {
		if (E2BIG.matcher(String.valueOf(failure.getMessage())).find()) {
			return new SandboxException(SandboxErrorCode.INVALID_ENVIRONMENT,
					"The command and its environment together are too long for a process",
					"pass fewer or shorter environment variables", failure);
		}
		CommandDirectory.requireEnterable("working directory", directory);
		return new SandboxException(SandboxErrorCode.START_FAILED, "The operating system refused to start a process",
				"see the cause; usual reasons are too many processes or too little memory", failure);
	}

}
