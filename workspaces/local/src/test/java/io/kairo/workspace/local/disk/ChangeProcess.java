package io.kairo.workspace.local.disk;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.Batch;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.CreateDirectory;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Depth;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.LocalFilesOptions;

/**
 * A program that changes files: counts by compare-exchange, writes tokens in batches, or
 * makes changes of every kind until it is killed.
 */
final class ChangeProcess {

	/** The files changed by a batch. */
	static final List<String> TOKEN_FILES = List.of("one", "two", "dir/three", "dir/four", "dir/sub/five");

	private ChangeProcess() {
	}

	static Process start(String what, Path root, Path state) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				ChangeProcess.class.getName(), what, root.toString(), state.toString())
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
		else if (args[0].equals("change")) {
			changeForever(files, root);
		}
		else {
			writeTokens(files, root, args[0].equals("backwards"));
		}
	}

	/**
	 * Increments a counter from several threads.
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

	private static void changeForever(WorkspaceFiles files, Path root) {
		for (int i = 0;; i++) {
			byte[] large = new byte[300_000];
			Arrays.fill(large, (byte) ('a' + i % 26));
			byte[] small = bytes(i);
			WorkspacePath exchanged = new WorkspacePath(root, "exchanged");
			WorkspacePath original = new WorkspacePath(root, "large");
			WorkspacePath copy = new WorkspacePath(root, "copy");
			WorkspacePath made = new WorkspacePath(root, "made");
			WorkspacePath one = new WorkspacePath(root, "one");
			WorkspacePath directory = new WorkspacePath(root, "dir" + i);
			List<WorkspaceChange> changes = new ArrayList<>(List.of(new Write(one, small),
					new Write(directory.child("two"), small), new Copy(one, directory.child("copy")),
					new Move(directory.child("copy"), new WorkspacePath(root, "three"), Overwrite.REPLACE, null)));
			if (i > 0) {
				changes.add(new Delete(new WorkspacePath(root, "dir" + (i - 1)), Depth.RECURSIVE, null));
			}
			for (WorkspaceChange change : List.of(new Write(original, large),
					(i == 0) ? new Write(exchanged, small) : new CompareExchange(exchanged, bytes(i - 1), small),
					new Copy(original, copy, Overwrite.REPLACE, null),
					new Move(copy, new WorkspacePath(root, "moved/large"), Overwrite.REPLACE, null),
					new CreateDirectory(made.child("a").child("b")), new Delete(made, Depth.RECURSIVE, null),
					new Batch(changes))) {
				files.apply(change).value();
				System.out.println("changed");
			}
		}
	}

	/**
	 * Writes each token of the standard input into all files and acknowledges it.
	 */
	private static void writeTokens(WorkspaceFiles files, Path root, boolean backwards) throws IOException {
		List<String> names = new ArrayList<>(TOKEN_FILES);
		if (backwards) {
			Collections.reverse(names);
		}
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String token = input.readLine(); token != null; token = input.readLine()) {
			byte[] bytes = token.getBytes(StandardCharsets.UTF_8);
			List<WorkspaceChange> changes = new ArrayList<>();
			names.forEach((name) -> changes.add(new Write(new WorkspacePath(root, name), bytes)));
			files.apply(new Batch(changes)).value();
			System.out.println("done");
		}
	}

	private static byte[] bytes(int number) {
		return String.valueOf(number).getBytes(StandardCharsets.UTF_8);
	}

}
