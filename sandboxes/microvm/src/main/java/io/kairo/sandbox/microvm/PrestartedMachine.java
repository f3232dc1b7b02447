package io.kairo.sandbox.microvm;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/**
 * A machine that was started before a command needs it. It has no directories of a
 * command, has run none, and belongs to no tenant, until it is given a specification,
 * once.
 *
 * @param machine the machine
 * @param mounts adds the directories
 */
record PrestartedMachine(Machine machine, LateMounts mounts) {

	private static final Logger logger = System.getLogger(PrestartedMachine.class.getName());

	/**
	 * Gives the machine the directories of a specification.
	 * @return whether it has exactly these now; if not, the machine has ended
	 */
	boolean become(MachineSpec spec) {
		String problem;
		try {
			this.mounts.add(spec.mounts());
			this.machine.require(ServedMounts.of(this.mounts.server(), MachineSpec.lines(spec.mounts())));
			if (this.machine.usable()) {
				return true;
			}
			problem = "its mounts are not those of the command";
		}
		catch (IOException ex) {
			problem = String.valueOf(ex.getMessage());
		}
		logger.log(Level.WARNING, "A virtual machine that was started ahead cannot be used: " + problem);
		this.machine.end("it cannot be used");
		return false;
	}

}
