package io.kairo.workspace.local;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;

/**
 * Changes files in a process of its own: counts by compare-exchange, or writes until it
 * is killed.
 */
final class ChangeProcess {

	private ChangeProcess() {
	}

	static Process start(String what, Path root, Path state) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xshare:auto",
				"-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path"), ChangeProcess.class.getName(),
				what, root.toString(), state.toString())
			.redirectError(new File(state + "-errors.txt"))
			.start();
	}

	public static void main(String[] args) throws Exception {
		Path root = Path.of(args[1]);
		WorkspaceFiles files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withStateDirectory(Path.of(args[2])))
			.open(TestWorkspaces.of(root));
		System.out.println("started");
		if (args[0].equals("count")) {
			count(files, 8, 10);
		}
		else {
			writeForever(files, root);
		}
	}

	/**
	 * Adds to a counter from several threads.
	 */
	static void count(WorkspaceFiles files, int threads, int times) throws InterruptedException {
		List<Thread> all = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			Thread thread = new Thread(() -> {
				for (int time = 0; time < times; time++) {
					increment(files);
				}
			});
			thread.start();
			all.add(thread);
		}
		for (Thread thread : all) {
			thread.join();
		}
	}

	private static void increment(WorkspaceFiles files) {
		while (true) {
			String before = files.tryReadFile("counter").value().content();
			String after = String.valueOf(Integer.parseInt(before) + 1);
			if (files.tryCompareExchange("counter", before, after).value().exchanged()) {
				return;
			}
		}
	}

	private static void writeForever(WorkspaceFiles files, Path root) {
		for (int i = 0;; i++) {
			byte[] large = new byte[300_000];
			Arrays.fill(large, (byte) ('a' + i % 26));
			byte[] small = String.valueOf(i).getBytes(StandardCharsets.UTF_8);
			files.apply(new Write(new WorkspacePath(root, "large"), large)).value();
			List<WorkspaceChange> changes = new ArrayList<>(List.of(new Write(new WorkspacePath(root, "one"), small),
					new Write(new WorkspacePath(root, "dir" + i + "/two"), small),
					new Write(new WorkspacePath(root, "three"), small)));
			if (i > 0) {
				changes.add(new Delete(new WorkspacePath(root, "dir" + (i - 1)), Depth.RECURSIVE, null));
			}
			files.apply(new Batch(changes)).value();
		}
	}

}
