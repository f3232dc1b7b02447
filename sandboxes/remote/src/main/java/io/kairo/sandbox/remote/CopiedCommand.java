package io.kairo.sandbox.remote;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.ForwardingCommand;
import io.kairo.sandbox.support.RunningCommand;

/**
 * A command in copies of its directories. When it has ended, its changes are received. If
 * they are lost with the worker, so is the command.
 */
final class CopiedCommand extends ForwardingCommand {

	private final RemoteCopy copy;

	/**
	 * Creates the command.
	 * @param copy the copy of its directories
	 */
	CopiedCommand(RunningCommand command, RemoteCopy copy) {
		super(command);
		this.copy = copy;
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		CommandEnd end = super.await();
		return this.copy.fetch(false) ? end : new CommandEnd(-1, SandboxExit.LOST);
	}

	@Override
	public void kill() {
		super.kill();
		this.copy.fetch(true);
	}

}
