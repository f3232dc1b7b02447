package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A command that forwards every call to another one, as a base for commands that change
 * some of them.
 */
public abstract class ForwardingCommand implements RunningCommand {

	private final RunningCommand command;

	/**
	 * Creates the command.
	 * @param command the command to forward to
	 */
	protected ForwardingCommand(RunningCommand command) {
		this.command = command;
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		return this.command.await();
	}

	@Override
	public int settle() {
		return this.command.settle();
	}

	@Override
	public void kill() {
		this.command.kill();
	}

	@Override
	public void release() {
		this.command.release();
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.command.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.command.workingDirectory();
	}

	@Override
	public boolean endedOutside() {
		return this.command.endedOutside();
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.command.cpuTime();
	}

}
