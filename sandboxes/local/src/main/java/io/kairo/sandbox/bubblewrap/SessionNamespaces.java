package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.host.ProcStat;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.SessionResource;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.process.NativeProcess;
import org.jspecify.annotations.Nullable;

/**
 * The namespaces that the sandboxes of one session's commands are created in: a mount
 * namespace with their home directory and temporary files, in memory, and a network
 * namespace with their loopback interface unless they have the network of the host. A
 * process waits in there, which ends with the JVM. The namespaces end with it, or with
 * the last command in there. Safe for use by several threads.
 *
 * @param process bubblewrap, which has created them
 * @param files the files that bubblewrap and the JVM share
 * @param directory the directory that the temporary files are mounted in
 * @param network the network
 * @param ownNetwork whether there is a network namespace
 * @param caches the caches in the home directory
 */
record SessionNamespaces(Process process, ControlFiles files, Path directory, Networks.CommandNetwork network,
		boolean ownNetwork, CacheUse caches) implements SessionResource {

	private static final Logger logger = System.getLogger(SessionNamespaces.class.getName());

	private static final long PATIENCE_SECONDS = 1;

	/**
	 * Returns the process that waits in the namespaces.
	 * @return the process id; empty if they were not created
	 */
	OptionalLong waiting() {
		return this.files.status().firstProcess();
	}

	/**
	 * Returns whether there is a network namespace that leads nowhere.
	 */
	boolean isOffline() {
		return this.ownNetwork && this.network.listener() == null;
	}

	/**
	 * Returns the beginning of a command line that runs a program in the namespaces.
	 */
	List<String> prefix() {
		List<String> arguments = new ArrayList<>(List.of(String.valueOf(Executables.find("nsenter")), "--target",
				Long.toString(waiting().orElseThrow()), "--preserve-credentials", "--user", "--mount"));
		if (this.ownNetwork) {
			arguments.add("--net");
		}
		return arguments;
	}

	/**
	 * Returns the directory for temporary files. The process that waits shows it to this
	 * machine; its id belongs to no other process as long as it is the child of
	 * bubblewrap.
	 * @return the directory, null if the process has ended
	 */
	@Nullable SessionDirectory temporaryFiles() {
		long first = waiting().orElse(0);
		if (first == 0) {
			return null;
		}
		Path root = Path.of("/proc", Long.toString(first), "root");
		Path mounted = TemporaryDirectory.TMP.in(this.directory);
		return new SessionDirectory(TemporaryDirectory.TMP.path(), root.resolve(Path.of("/").relativize(mounted)),
				() -> isParentOf(first));
	}

	private boolean isParentOf(long child) {
		ProcStat stat = ProcStat.read(child);
		return stat != null && stat.alive() && stat.parent() == this.process.pid() && this.process.isAlive();
	}

	@Override
	public boolean isUsable() {
		return this.process.isAlive() && this.caches.isUsable();
	}

	/**
	 * Ends the process that waits, waits for that at most a second, and removes the
	 * files.
	 */
	@Override
	public void close() {
		this.caches.close();
		this.network.close();
		endWaiting();
		this.process.destroyForcibly();
		waiting().ifPresent(LocalProcess::awaitEnd);
		reap();
		try (InputStream output = this.process.getInputStream(); InputStream errors = this.process.getErrorStream()) {
			this.process.getOutputStream().close();
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The streams of a session could not be closed", ex);
		}
		if (this.process instanceof NativeProcess direct) {
			direct.close();
		}
		this.files.close();
		try {
			TreeDeletion.delete(this.directory);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The directory of a session could not be removed", ex);
		}
	}

	/**
	 * Ends the process that waits before bubblewrap, which waits for its end: as process
	 * 1, the JVM would inherit it and never do so.
	 */
	private void endWaiting() {
		long first = waiting().orElse(0);
		if (first != 0 && isParentOf(first)) {
			ProcessHandle.of(first).ifPresent(ProcessHandle::destroyForcibly);
			reap();
		}
	}

	/**
	 * Waits for the end of the process, also on an interrupted thread: a process that is
	 * not waited for remains a zombie.
	 */
	private void reap() {
		boolean interrupted = Thread.interrupted();
		try {
			this.process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			interrupted = true;
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

}
