package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.host.HostUser;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A workspace in which commands are undone, and later commands work on what they find.
 */
public final class RewoundCommands {

	private final Path root;

	private final Map<String, String> before;

	private RewoundCommands(Path root) throws IOException {
		this.root = root;
		this.before = tree(root);
	}

	/**
	 * Creates the directory of the workspace.
	 * @param root the directory, which does not exist
	 * @param owner the user that commands run as; null for the user of the JVM
	 */
	public static RewoundCommands in(Path root, @Nullable HostUser owner) throws IOException {
		Files.createDirectories(root.resolve("src/empty"));
		Files.writeString(root.resolve("src/a"), "one\n");
		Files.writeString(root.resolve("run"), "#!/bin/sh\n");
		Files.setPosixFilePermissions(root.resolve("run"), PosixFilePermissions.fromString("rwxr-x---"));
		if (owner != null) {
			try (Stream<Path> files = Files.walk(root)) {
				for (Path file : files.toList()) {
					owner.own(file);
				}
			}
		}
		return new RewoundCommands(root);
	}

	/**
	 * Runs commands in an application whose workspace it is, and undoes them.
	 */
	public void check(ApplicationContext context) throws IOException {
		ToolCatalog catalog = context.getBean(ToolCatalog.class);
		AgentSessions sessions = context.getBean(AgentSessions.class);
		call(catalog, sessions, "Checkpoint", Map.of("name", "start"));
		bash(catalog, sessions, "rm -r src; echo changed > run; chmod 700 run; mkdir -p target/x; echo x > target/x/y;"
				+ " ln -s /etc/passwd link; true");
		bash(catalog, sessions, "mkdir src; echo two > src/a; mv target/x target/z");
		Map<String, String> after = tree(this.root);
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		assertThat(tree(this.root)).isEqualTo(this.before);
		call(catalog, sessions, "Rewind", Map.of("redo", true));
		assertThat(tree(this.root)).isEqualTo(after);
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		bash(catalog, sessions, "echo more >> src/a");
		bash(catalog, sessions, "rmdir src/empty && rm run");
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		assertThat(tree(this.root)).isEqualTo(this.before);
		checkTrial(catalog, sessions);
	}

	/**
	 * Tries commands in a copy, discards one and commits another.
	 */
	private void checkTrial(ToolCatalog catalog, AgentSessions sessions) throws IOException {
		call(catalog, sessions, "Trial", Map.of("action", "begin"));
		assertThat(bash(catalog, sessions, "cat src/a; rm -r src; echo tried > new")).startsWith("one");
		call(catalog, sessions, "Write", Map.of("file_path", "written", "content", "by a tool\n"));
		assertThat(bash(catalog, sessions, "cat written; cd . && cat new")).contains("by a tool\ntried");
		assertThat(call(catalog, sessions, "Read", Map.of("file_path", "new")).text()).contains("tried");
		assertThat(tree(this.root)).isEqualTo(this.before);
		call(catalog, sessions, "Trial", Map.of("action", "discard"));
		assertThat(bash(catalog, sessions, "ls")).contains("run").doesNotContain("new");
		bash(catalog, sessions, "echo tried > new; mkdir made; chmod 700 made; rm run; echo two > src/a", true);
		assertThat(tree(this.root)).isEqualTo(this.before);
		bash(catalog, sessions, "mkdir sub; cd sub");
		assertThat(bash(catalog, sessions, "cd ..; cat new")).contains("tried");
		assertThat(call(catalog, sessions, "Trial", Map.of("action", "changes")).text()).contains("+two");
		call(catalog, sessions, "Trial", Map.of("action", "commit"));
		assertThat(tree(this.root)).containsOnlyKeys("new", "made", "sub", "src", "src/a", "src/empty");
		assertThat(Files.readString(this.root.resolve("src/a"))).isEqualTo("two\n");
		assertThat(bash(catalog, sessions, "cat src/a && echo more >> new && rmdir sub")).contains("two");
		call(catalog, sessions, "Rewind", Map.of("since", "start"));
		assertThat(tree(this.root)).isEqualTo(this.before);
	}

	private static String bash(ToolCatalog catalog, AgentSessions sessions, String command) {
		return bash(catalog, sessions, command, false);
	}

	private static String bash(ToolCatalog catalog, AgentSessions sessions, String command, boolean trial) {
		ToolResult result = call(catalog, sessions, "Bash", Map.of("command", command, "trial", trial));
		assertThat(result.data()).as(result.text()).containsEntry("exitCode", 0);
		return result.text();
	}

	private static ToolResult call(ToolCatalog catalog, AgentSessions sessions, String tool,
			Map<String, Object> arguments) {
		ToolResult result = sessions.callInSession(TenantContext.SINGLE, "one",
				(context) -> catalog.call(new ToolCall("1", tool, arguments), context));
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	private static Map<String, String> tree(Path root) throws IOException {
		Map<String, String> tree = new TreeMap<>();
		try (Stream<Path> paths = Files.walk(root)) {
			for (Path path : paths.filter((each) -> !each.equals(root)).toList()) {
				String name = root.relativize(path).toString();
				if (name.equals(".git") || name.startsWith(".git/")) {
					continue; // the place of a mount
				}
				if (Files.isSymbolicLink(path)) {
					tree.put(name, "-> " + Files.readSymbolicLink(path));
				}
				else {
					tree.put(name,
							Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS) + " "
									+ PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " "
									+ (Files.isDirectory(path) ? "" : Files.readString(path)));
				}
			}
		}
		return tree;
	}

}
