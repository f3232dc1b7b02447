package io.kairo.sandbox.microvm;

import java.io.IOException;

/**
 * Thrown if a machine sends what its agent never sends. The machine is ended then.
 */
final class GuestProtocolException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param what what was sent
	 */
	GuestProtocolException(String what) {
		super("The virtual machine sent " + what);
	}

}
