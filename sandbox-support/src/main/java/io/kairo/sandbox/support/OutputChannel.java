package io.kairo.sandbox.support;

import io.kairo.api.sandbox.SandboxOutputChunk;

/**
 * The stream that output came from.
 *
 * @since 0.1.0
 */
public enum OutputChannel {

	/** The standard output. */
	STDOUT {

		@Override
		SandboxOutputChunk chunk(byte[] data) {
			return new SandboxOutputChunk.Stdout(data);
		}

	},

	/** The standard error. */
	STDERR {

		@Override
		SandboxOutputChunk chunk(byte[] data) {
			return new SandboxOutputChunk.Stderr(data);
		}

	};

	abstract SandboxOutputChunk chunk(byte[] data);

}
