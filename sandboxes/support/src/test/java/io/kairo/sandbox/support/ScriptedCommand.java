package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A command that a test ends with an exit code of its choice.
 */
class ScriptedCommand implements RunningCommand {

	final CountDownLatch end = new CountDownLatch(1);

	final CountDownLatch killable = new CountDownLatch(1);

	final AtomicInteger settled = new AtomicInteger();

	final AtomicInteger killed = new AtomicInteger();

	final AtomicInteger released = new AtomicInteger();

	volatile CommandEnd result = new CommandEnd(0, null);

	volatile RuntimeException failure;

	void end(int exitCode) {
		this.result = CommandEnd.ofExitCode(exitCode);
		this.end.countDown();
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		this.end.await();
		if (this.failure != null) {
			throw this.failure;
		}
		return this.result;
	}

	@Override
	public int settle() {
		this.settled.incrementAndGet();
		return 2;
	}

	@Override
	public void kill() {
		this.killed.incrementAndGet();
		this.killable.countDown();
		if (this.failure != null) {
			throw this.failure;
		}
	}

	@Override
	public void release() {
		this.released.incrementAndGet();
	}

	@Override
	public Path workingDirectory() {
		return Path.of("/somewhere");
	}

}
