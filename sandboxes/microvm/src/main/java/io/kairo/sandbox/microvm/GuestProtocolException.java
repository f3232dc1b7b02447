package io.kairo.sandbox.microvm;

import java.io.IOException;

/**
 * Thrown if a machine sends data that its agent never sends. The machine is ended then.
 */
final class GuestProtocolException extends IOException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param what a description of the received data
	 */
	GuestProtocolException(String what) {
		super("The virtual machine sent " + what);
	}

}
