package io.kairo.sandbox.bubblewrap;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalLong;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.sandbox.support.CommandEnd;
import io.kairo.sandbox.support.Sessions;
import io.kairo.sandbox.support.WorkingDirectoryFile;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.mount.CommandMounts;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.RunningCommand;
import org.jspecify.annotations.Nullable;

/**
 * A command in bubblewrap. The process is bubblewrap itself. It exits with the exit code
 * of the command. When it ends, so does every process in its PID namespace.
 */
final class BubblewrapCommand implements RunningCommand {

	private static final byte[] NOT_RUN = "kairo: the sandbox could not be set up, so the command was not run\n"
		.getBytes(StandardCharsets.US_ASCII);

	private final LocalProcess process;

	private final ControlFiles files;

	private final CommandMounts mounts;

	private final Roots roots;

	private final OutputLog log;

	private final Sessions<SessionNamespaces>.@Nullable Session session;

	private volatile @Nullable Path lastDirectory;

	private volatile boolean outside;

	BubblewrapCommand(LocalProcess process, ControlFiles files, CommandMounts mounts, Roots roots, OutputLog log,
			Sessions<SessionNamespaces>.@Nullable Session session) {
		this.process = process;
		this.files = files;
		this.mounts = mounts;
		this.roots = roots;
		this.log = log;
		this.session = session;
	}

	/**
	 * Waits for the end. Bubblewrap exits with 1 if it fails, as a command may, but then
	 * it has not recorded an exit code.
	 */
	@Override
	public CommandEnd await() throws InterruptedException {
		CommandEnd end = this.process.await();
		if ((end.exitCode() == 1 || end.exitCode() == Bubblewrap.NOT_RUN) && !this.files.status().exited()) {
			this.log.append(OutputChannel.STDERR, NOT_RUN, 0, NOT_RUN.length);
			return new CommandEnd(Bubblewrap.NOT_RUN, SandboxExit.NOT_RUN);
		}
		return end;
	}

	/**
	 * Bubblewrap may exit before the kernel has ended all processes of the namespace.
	 * They have all ended once the first process of the namespace has. Leftovers are
	 * searched for only if that process or the output does not end in time, or if
	 * bubblewrap recorded no exit code, as when it was killed.
	 */
	@Override
	public int settle() {
		ControlFiles.Status status = this.files.outermostStatus();
		OptionalLong first = status.firstProcess();
		int left;
		if (status.exited() && first.isPresent()) {
			left = this.process.settle(first.getAsLong());
		}
		else {
			first.ifPresent(LocalProcess::awaitEnd);
			left = this.process.settle();
		}
		Path seen = new WorkingDirectoryFile(this.files.report()).reportedPath();
		this.lastDirectory = this.roots.toHost(seen);
		this.outside = this.roots.isOutside(seen);
		return left;
	}

	@Override
	public void kill() {
		this.process.kill();
		this.files.outermostStatus().firstProcess().ifPresent(LocalProcess::awaitEnd);
	}

	@Override
	public void release() {
		try {
			this.process.release();
			this.files.close();
			this.mounts.close();
		}
		finally {
			if (this.session != null) {
				this.session.close();
			}
		}
	}

	@Override
	public @Nullable OutputStream stdin() {
		return this.process.stdin();
	}

	@Override
	public @Nullable Path workingDirectory() {
		return this.lastDirectory;
	}

	@Override
	public boolean endedOutside() {
		return this.outside;
	}

}
