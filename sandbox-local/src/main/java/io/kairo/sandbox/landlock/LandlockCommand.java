package io.kairo.sandbox.landlock;

import java.io.OutputStream;
import java.nio.file.Path;

import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.RunningCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command in a Landlock domain, with its temporary files.
 *
 * @param process the command
 * @param files its temporary files
 */
record LandlockCommand(LocalProcess process, CommandFiles files) implements RunningCommand {

	@Override
	public CommandEnd await() throws InterruptedException {
		return this.process.await();
	}

	@Override
	public int settle() {
		return this.process.settle();
	}

	@Override
	public void kill() {
		this.process.kill();
	}

	@Override
	public void release() {
		this.process.release();
		this.files.close();
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.process.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.process.workingDirectory();
	}

}
