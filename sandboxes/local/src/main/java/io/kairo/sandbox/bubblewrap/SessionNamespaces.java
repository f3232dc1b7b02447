package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.host.ProcStat;
import io.kairo.host.ProcessRoot;
import io.kairo.host.TreeDeletion;
import io.kairo.sandbox.support.Executables;
import io.kairo.sandbox.support.LocalProcess;
import io.kairo.sandbox.support.SessionResource;
import io.kairo.sandbox.support.cache.CacheUse;
import io.kairo.sandbox.support.process.NativeProcess;
import io.kairo.sandbox.support.thread.Deadlines;
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
 * @param deadlines ends the process that waits if a mount takes too long
 */
record SessionNamespaces(Process process, ControlFiles files, Path directory, Networks.CommandNetwork network,
		boolean ownNetwork, CacheUse caches, Deadlines deadlines) implements SessionResource {

	private static final Logger logger = System.getLogger(SessionNamespaces.class.getName());

	private static final long PATIENCE_SECONDS = 1;

	/** Other paths would have to be escaped in the options of a mount. */
	private static final Pattern PLAIN = Pattern.compile("/[^,:\\\\\"'\\p{Cntrl}]*[^,:\\\\\"'\\p{Cntrl}\\s]");

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
		return new SessionDirectory(TemporaryDirectory.TMP.path(),
				new ProcessRoot(first).resolve(TemporaryDirectory.TMP.in(this.directory)), () -> isParentOf(first));
	}

	/**
	 * Mounts an overlay in the mount namespace.
	 * @param lower the directory that it shows
	 * @param layer contains its directories {@code upper}, {@code work} and
	 * {@code merged}
	 * @return how this machine reaches the last one; null if it cannot be mounted
	 * @throws IOException if the namespaces end meanwhile
	 */
	@Nullable SessionDirectory mount(Path lower, Path layer) throws IOException {
		long first = waiting().orElse(0);
		if (first == 0 || !isPlain(lower) || !isPlain(layer) || !asks(lower.toString(), layer)) {
			return null;
		}
		Path merged = layer.resolve("merged");
		return new SessionDirectory(merged.toString(), new ProcessRoot(first).resolve(merged), () -> isParentOf(first));
	}

	/**
	 * Unmounts an overlay, also while it is used.
	 * @param layer contains its directories
	 */
	void unmount(Path layer) {
		try {
			asks("", layer);
		}
		catch (IOException | RejectedExecutionException ex) {
			logger.log(Level.DEBUG, "The namespaces of a session have ended with its overlays", ex);
		}
	}

	private static boolean isPlain(Path path) {
		return PLAIN.matcher(path.toString()).matches();
	}

	/**
	 * Lets the process that waits mount or unmount an overlay.
	 * @return whether it did
	 */
	private boolean asks(String lower, Path layer) throws IOException {
		synchronized (this.process) {
			Future<?> end = this.deadlines.after(SessionFactory.PATIENCE, this.process::destroyForcibly);
			try {
				OutputStream requests = this.process.getOutputStream();
				requests.write((lower + "\n" + layer + "\n").getBytes(StandardCharsets.UTF_8));
				requests.flush();
				InputStream answers = this.process.getInputStream();
				StringBuilder status = new StringBuilder();
				for (int each = answers.read(); each != '\n'; each = answers.read()) {
					if (each < 0) {
						throw new IOException("The namespaces of a session have ended");
					}
					status.append((char) each);
				}
				return status.toString().equals("0");
			}
			finally {
				end.cancel(false);
			}
		}
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
