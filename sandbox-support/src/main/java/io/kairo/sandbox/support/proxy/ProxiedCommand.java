package io.kairo.sandbox.support.proxy;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.OutputChannel;
import io.kairo.sandbox.support.OutputLog;
import io.kairo.sandbox.support.RunningCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command that has a proxy, which ends with it.
 */
final class ProxiedCommand implements RunningCommand {

	private final RunningCommand command;

	private final OutputLog log;

	private final ProxyListener listener;

	ProxiedCommand(RunningCommand command, OutputLog log, ProxyListener listener) {
		this.command = command;
		this.log = log;
		this.listener = listener;
	}

	@Override
	public CommandEnd await() throws InterruptedException {
		return this.command.await();
	}

	@Override
	public int settle() {
		int left = this.command.settle();
		tell();
		return left;
	}

	@Override
	public void kill() {
		this.command.kill();
		tell();
	}

	@Override
	public void release() {
		try {
			this.command.release();
		}
		finally {
			this.listener.close();
		}
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.command.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.command.workingDirectory();
	}

	private void tell() {
		for (String refusal : this.listener.report().refusals()) {
			byte[] line = ("kairo: the network refused " + refusal + "\n").getBytes(StandardCharsets.UTF_8);
			this.log.append(OutputChannel.STDERR, line, 0, line.length);
		}
	}

}
