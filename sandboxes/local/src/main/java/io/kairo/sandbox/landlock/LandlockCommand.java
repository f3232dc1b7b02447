package io.kairo.sandbox.landlock;

import io.kairo.sandbox.support.ForwardingCommand;
import io.kairo.sandbox.support.LocalProcess;

/**
 * A command in a Landlock domain.
 */
final class LandlockCommand extends ForwardingCommand {

	private final Compartment compartment;

	private final Compartments compartments;

	/**
	 * Creates the command.
	 * @param compartment its domain and temporary files
	 * @param compartments takes them back
	 */
	LandlockCommand(LocalProcess process, Compartment compartment, Compartments compartments) {
		super(process);
		this.compartment = compartment;
		this.compartments = compartments;
	}

	@Override
	public void release() {
		super.release();
		this.compartments.give(this.compartment);
	}

}
