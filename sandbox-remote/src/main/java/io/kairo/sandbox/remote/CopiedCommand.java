package io.kairo.sandbox.remote;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.RunningCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command in copies of its directories. When it has ended, its changes are received. If
 * they are lost with the worker, so is the command.
 *
 * @param command the command
 * @param copy the copy of its directories
 */
record CopiedCommand(RunningCommand command, RemoteCopy copy) implements RunningCommand {

	@Override
	public CommandEnd await() throws InterruptedException {
		CommandEnd end = this.command.await();
		return this.copy.fetch(false) ? end : new CommandEnd(-1, SandboxExit.LOST);
	}

	@Override
	public int settle() {
		return this.command.settle();
	}

	@Override
	public void kill() {
		this.command.kill();
		this.copy.fetch(true);
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
