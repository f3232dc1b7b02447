package io.kairo.sandbox.landlock;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;

import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.RunningCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command in a Landlock domain.
 *
 * @param process the command
 * @param compartment its domain and temporary files
 * @param compartments takes them back
 */
record LandlockCommand(LocalProcess process, Compartment compartment,
		Compartments compartments) implements RunningCommand {

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
		this.compartments.give(this.compartment);
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.process.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.process.workingDirectory();
	}

	@Override
	public @Nullable Duration cpuTime() {
		return this.process.cpuTime();
	}

}
