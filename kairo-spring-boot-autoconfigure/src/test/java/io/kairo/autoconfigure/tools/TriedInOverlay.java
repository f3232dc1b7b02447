package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionFork;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application whose user tries commands in overlays. It prints that all of them had
 * the expected effect.
 */
public final class TriedInOverlay {

	private static final TenantContext TENANT = TenantContext.SINGLE;

	private final Path root;

	private final Path trials;

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private TriedInOverlay(Path root, Path trials, ApplicationContext context) {
		this.root = root;
		this.trials = trials;
		this.catalog = context.getBean(ToolCatalog.class);
		this.sessions = context.getBean(AgentSessions.class);
	}

	/**
	 * Runs the application.
	 * @param args the property with the state directory, beside which the workspaces are;
	 * a second argument to end it in a trial, as if it was killed
	 */
	public static void main(String[] args) throws IOException {
		Path state = Path.of(args[0].substring(args[0].indexOf('=') + 1)).toAbsolutePath();
		if (args.length > 1) {
			Path killed = Files.createDirectory(state.resolveSibling("killed"));
			run(killed, args[0], (context) -> new TriedInOverlay(killed, state.resolve("trials"), context).halt());
		}
		Path rewound = state.resolveSibling("rewound");
		RewoundCommands commands = RewoundCommands.in(rewound, null);
		run(rewound, args[0], commands::check);
		Path root = state.resolveSibling("root with a blank");
		Files.createDirectories(root.resolve("src/deep"));
		Files.writeString(root.resolve("src/a"), "one\n");
		Files.writeString(root.resolve("src/deep/b"), "b\n");
		Files.writeString(root.resolve("other"), "other\n");
		run(root, args[0], (context) -> new TriedInOverlay(root, state.resolve("trials"), context).check());
		assertNothingIsIn(state.resolve("trials"));
		System.out.println("tried in overlays");
	}

	private static void run(Path root, String state, Check check) {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoToolsAutoConfiguration.class,
					KairoSandboxAutoConfiguration.class, KairoWorkspaceAutoConfiguration.class))
			.withPropertyValues(state.substring(2), "kairo.workspace.roots=" + root, "kairo.sandbox.type=bubblewrap")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				check.of(context);
			});
	}

	private void halt() {
		begin("killed");
		bash("killed", "mkdir made; echo x > made/x");
		System.out.println("killed in " + this.trials);
		System.out.flush();
		Runtime.getRuntime().halt(1);
	}

	private void check() throws IOException {
		toolsChangeDirectories();
		othersChangeFiles();
		subAgentsFindTheTrial();
		directoryIsOpenedAgain();
		unreadableFileNeedsACopy();
		forksAreApart();
		tenForksOfManyFiles();
		lostTrialIsNotCommitted();
		begin("open");
		bash("open", "echo open > open");
	}

	/**
	 * Renames and deletes directories that the overlay shows of the workspace.
	 */
	private void toolsChangeDirectories() throws IOException {
		begin("one");
		call("one", "Move", Map.of("source", "src", "destination", "moved"));
		call("one", "Write", Map.of("file_path", "moved/new", "content", "new\n"));
		assertThat(bash("one", "cat moved/a moved/new moved/deep/b; rm -r moved/deep; ls")).contains("one", "new", "b");
		call("one", "Delete", Map.of("path", "moved", "recursive", true));
		assertThat(bash("one", "ls; mkdir made; echo x > made/x")).contains("other").doesNotContain("moved");
		assertThat(Files.readString(this.root.resolve("src/deep/b"))).isEqualTo("b\n");
		call("one", "Trial", Map.of("action", "discard"));
		assertNothingIsLeft();
		begin("one");
		call("one", "Delete", Map.of("path", "src/deep", "recursive", true));
		assertThat(call("one", "Trial", Map.of("action", "commit")).text()).contains("deep");
		assertThat(entries(this.root.resolve("src"))).containsExactly("a");
		assertNothingIsLeft();
	}

	/**
	 * A commit leaves what others changed in the workspace, which the overlay shows.
	 */
	private void othersChangeFiles() throws IOException {
		Files.writeString(this.root.resolve("whiteout"), "hidden\n");
		begin("one");
		// attributes and a device by which the overlay takes files for others, or for
		// gone
		Files.getFileAttributeView(this.root.resolve("src"), UserDefinedFileAttributeView.class)
			.write("overlay.redirect", ByteBuffer.wrap("/etc".getBytes(StandardCharsets.UTF_8)));
		bash("two", "mknod gone c 0 0; rm -f whiteout; mknod whiteout c 0 0");
		Files.writeString(this.root.resolve("other"), "changed\n");
		Files.writeString(this.root.resolve("added"), "added\n");
		Files.delete(this.root.resolve("src/a"));
		bash("one", "echo mine > mine; mknod device c 0 0; true");
		ToolResult changes = call("one", "Trial", Map.of("action", "changes"));
		assertThat(changes.text()).contains("mine").doesNotContain("other", "added", "src/a", "whiteout", "gone");
		call("one", "Trial", Map.of("action", "commit"));
		assertThat(Files.readString(this.root.resolve("other"))).isEqualTo("changed\n");
		assertThat(entries(this.root)).contains("added", "mine", "gone", "whiteout");
		for (String device : List.of("gone", "whiteout")) {
			Files.delete(this.root.resolve(device));
		}
		Files.writeString(this.root.resolve("src/a"), "one\n");
	}

	private void subAgentsFindTheTrial() {
		callOfChild("Bash", Map.of("command", "echo own > /dev/shm/file"));
		begin("one");
		bash("one", "echo tried > tried");
		assertThat(callOfChild("Bash", Map.of("command", "cat tried; echo in trial > /dev/shm/file")))
			.contains("tried");
		assertThat(callOfChild("Read", Map.of("file_path", "/dev/shm/file"))).contains("in trial");
		assertThat(bash("one", "cat /dev/shm/file")).contains("in trial");
		call("one", "Trial", Map.of("action", "discard"));
	}

	private String callOfChild(String tool, Map<String, Object> arguments) {
		return this.sessions
			.call(SessionRequest.of(TENANT, "one").child("sub"), this.catalog, new ToolCall("1", tool, arguments),
					(context) -> context)
			.text();
	}

	/**
	 * A command denies its own user the access to the root.
	 */
	private void directoryIsOpenedAgain() throws IOException {
		Set<PosixFilePermission> before = Files.getPosixFilePermissions(this.root);
		begin("one");
		bash("one", "echo closed > closed; chmod 000 .");
		assertThat(bash("one", "cat closed")).contains("closed");
		call("one", "Trial", Map.of("action", "discard"));
		assertThat(Files.getPosixFilePermissions(this.root)).isEqualTo(before);
	}

	private void unreadableFileNeedsACopy() throws IOException {
		Path secret = Files.writeString(this.root.resolve("secret"), "secret\n");
		Files.setPosixFilePermissions(secret, Set.of());
		assertThat(call("one", "Trial", Map.of("action", "begin")).text()).contains("secret");
		assertThat(place("one")).startsWith(this.trials);
		bash("one", "echo copied > copied");
		call("one", "Trial", Map.of("action", "commit"));
		assertThat(entries(this.root)).contains("copied", "secret");
		Files.delete(secret);
		assertNothingIsLeft();
	}

	private void forksAreApart() throws IOException {
		List<SessionFork> forks = this.sessions.fork(SessionRequest.of(TENANT, "one"), 3).value();
		for (int i = 0; i < forks.size(); i++) {
			String command = "echo " + i + " >> src/a; pwd";
			forks.get(i).call(this.catalog, new ToolCall("1", "Bash", Map.of("command", command)));
		}
		ToolResult seen = forks.get(2)
			.call(this.catalog, new ToolCall("1", "Bash", Map.of("command", "echo lines: $(wc -l < src/a)")));
		assertThat(seen.text()).contains("lines: 2");
		WorkspaceResult<Rewind> committed = forks.get(1).commit(Set.of());
		assertThat(committed.value().done()).isTrue();
		assertThat(forks.get(0).commit(Set.of()).value().done()).isFalse();
		forks.forEach(SessionFork::close);
		assertThat(Files.readString(this.root.resolve("src/a"))).isEqualTo("one\n1\n");
		assertNothingIsLeft();
	}

	private void tenForksOfManyFiles() throws IOException {
		for (int i = 0; i < 10_000; i++) {
			Path file = this.root.resolve("many/" + i / 100 + "/" + i);
			Files.createDirectories(file.getParent());
			Files.writeString(file, "many\n");
		}
		begin("one");
		call("one", "Trial", Map.of("action", "discard"));
		List<SessionFork> forks = this.sessions.fork(SessionRequest.of(TENANT, "one"), 10).value();
		for (int i = 0; i < forks.size(); i++) {
			String command = "rm -r many/" + i + "; echo " + i + " > many/99/9999";
			ToolResult result = forks.get(i).call(this.catalog, new ToolCall("1", "Bash", Map.of("command", command)));
			assertThat(result.data()).containsEntry("exitCode", 0);
		}
		assertThat(forks.get(7).commit(Set.of()).value().done()).isTrue();
		assertThat(forks.get(3).commit(Set.of()).value().done()).isFalse();
		forks.forEach(SessionFork::close);
		assertThat(entries(this.root.resolve("many"))).hasSize(99).doesNotContain("7");
		assertThat(Files.readString(this.root.resolve("many/99/9999"))).isEqualTo("7\n");
		assertNothingIsLeft();
	}

	/**
	 * Ends the process that holds the overlay.
	 */
	private void lostTrialIsNotCommitted() throws IOException {
		Path place = begin("lost");
		bash("lost", "echo lost > lost");
		ProcessHandle waiting = ProcessHandle.of(Long.parseLong(place.getName(1).toString())).orElseThrow();
		waiting.destroyForcibly();
		waiting.onExit().join();
		List<String> before = entries(this.root);
		for (String action : List.of("changes", "commit")) {
			ToolResult lost = tried("lost", "Trial", Map.of("action", action));
			assertThat(lost.error()).as(lost.text()).isNotNull();
			assertThat(lost.text()).contains("is gone");
		}
		assertThat(tried("lost", "Bash", Map.of("command", "ls; touch x")).error()).isNotNull();
		assertThat(entries(this.root)).isEqualTo(before);
		call("lost", "Trial", Map.of("action", "discard"));
		assertThat(bash("lost", "ls")).contains("other");
		assertNothingIsLeft();
	}

	private void assertNothingIsLeft() throws IOException {
		assertNothingIsIn(this.trials);
	}

	private static void assertNothingIsIn(Path directory) throws IOException {
		try (Stream<Path> left = Files.list(directory)) {
			assertThat(left.filter(Files::isDirectory)).isEmpty();
		}
	}

	/**
	 * Begins a trial, which must not be in a copy.
	 * @return its directory
	 */
	private Path begin(String session) {
		call(session, "Trial", Map.of("action", "begin"));
		Path place = place(session);
		assertThat(place.toString()).startsWith("/proc/");
		return place;
	}

	private Path place(String session) {
		return this.sessions.callInSession(TENANT, session, (context) -> context.files().location(this.root));
	}

	private String bash(String session, String command) {
		ToolResult result = call(session, "Bash", Map.of("command", command));
		assertThat(result.data()).as(result.text()).containsEntry("exitCode", 0);
		return result.text();
	}

	private ToolResult call(String session, String tool, Map<String, Object> arguments) {
		ToolResult result = tried(session, tool, arguments);
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	private ToolResult tried(String session, String tool, Map<String, Object> arguments) {
		return this.sessions.callInSession(TENANT, session,
				(context) -> this.catalog.call(new ToolCall("1", tool, arguments), context));
	}

	private static List<String> entries(Path directory) throws IOException {
		try (Stream<Path> entries = Files.list(directory)) {
			return entries.map((each) -> each.getFileName().toString())
				.filter((name) -> !name.startsWith("."))
				.sorted()
				.toList();
		}
	}

	/**
	 * Checks an application.
	 */
	@FunctionalInterface
	private interface Check {

		void of(ApplicationContext context) throws IOException;

	}

}
