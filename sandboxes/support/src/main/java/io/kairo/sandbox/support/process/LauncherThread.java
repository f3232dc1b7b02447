package io.kairo.sandbox.support.process;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

import io.kairo.linux.NativeLinux;
import io.kairo.linux.Spawn;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;
import io.kairo.sandbox.support.thread.DaemonThreads;
import io.kairo.sandbox.support.thread.TaskLoop;
import org.jspecify.annotations.Nullable;

/**
 * Starts processes on one platform thread that lives until the launcher is closed. On
 * Linux a process with a parent-death signal (PR_SET_PDEATHSIG of prctl(2)) ends with the
 * <em>thread</em> that started it. Therefore this must not be a pooled or virtual thread.
 * The thread is created for the first process. Safe for use by several threads.
 */
public final class LauncherThread implements ProcessLauncher, AutoCloseable {

	private final TaskLoop tasks = new TaskLoop();

	private final String name;

	private final @Nullable NativeLauncher direct;

	private @Nullable Thread thread;

	private boolean closed;

	/**
	 * Creates a launcher.
	 * @param name the name of the thread
	 * @param nativeCalls whether processes that inherit files are started by direct
	 * system calls, if this JVM can make them
	 */
	public LauncherThread(String name, boolean nativeCalls) {
		this.name = name;
		this.direct = nativeCalls ? NativeLauncher.find() : null;
	}

	@Override
	public Process launch(ProcessBuilder builder) throws IOException {
		return call(builder::start);
	}

	/**
	 * Returns whether processes that inherit files can be started by direct system calls.
	 * They cannot gain privileges then.
	 * @return whether this JVM can make them
	 */
	public boolean isDirect() {
		return this.direct != null;
	}

	/**
	 * Returns a launcher that starts processes on this thread with files open, by direct
	 * system calls or else through a shell.
	 * @param files the files
	 * @return the launcher
	 */
	public ProcessLauncher opening(List<InheritedFile> files) {
		return new OpeningLauncher(files);
	}

	/**
	 * Makes a call on the thread.
	 */
	private <T> T call(Callable<T> task) throws IOException {
		CompletableFuture<T> result = new CompletableFuture<>();
		add(() -> complete(result, task));
		return TaskLoop.await(result);
	}

	@Override
	public Role role() {
		return Role.MONITOR;
	}

	/**
	 * Ends the thread, and with it every process that has a parent-death signal.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.tasks.addLast(() -> {
		});
	}

	private synchronized void add(Runnable task) throws IOException {
		if (this.closed) {
			throw new IOException("The launcher is closed");
		}
		if (this.thread == null) {
			try {
				this.thread = DaemonThreads.start(this.name, this.tasks);
			}
			catch (OutOfMemoryError ex) {
				throw new IOException("No more threads can be created to start processes", ex);
			}
		}
		this.tasks.add(task);
	}

	private static <T> void complete(CompletableFuture<T> result, Callable<T> task) {
		try {
			result.complete(task.call());
		}
		catch (Throwable ex) {
			result.completeExceptionally(ex);
		}
	}

	/**
	 * Starts processes with files open.
	 */
	private final class OpeningLauncher implements ProcessLauncher {

		private final List<InheritedFile> files;

		private final @Nullable NativeLauncher launcher;

		OpeningLauncher(List<InheritedFile> files) {
			NativeLauncher direct = LauncherThread.this.direct;
			this.files = files;
			this.launcher = (direct != null) ? direct.with(this::start) : null;
		}

		private void start(Spawn spawn) throws IOException {
			for (InheritedFile file : this.files) {
				file.open(spawn);
			}
			call(() -> {
				NativeLinux.find().refusePrivileges();
				spawn.start();
				return true;
			});
		}

		@Override
		public Process launch(ProcessBuilder builder) throws IOException {
			return (this.launcher != null) ? this.launcher.launch(builder)
					: LauncherThread.this.launch(builder.command(InheritedFile.shell(this.files, builder.command())));
		}

		@Override
		public ProcessOutput launch(ProcessBuilder builder, OutputLog log) throws IOException {
			return (this.launcher != null) ? this.launcher.launch(builder, log)
					: ProcessLauncher.super.launch(builder, log);
		}

		@Override
		public boolean createsSession() {
			return this.launcher != null;
		}

		@Override
		public Role role() {
			return LauncherThread.this.role();
		}

	}

}
