package io.kairo.autoconfigure.conformance;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.tools.ToolNaming;

/**
 * Calls of every tool, of which some succeed and some fail, to make in this order in one
 * session.
 */
public final class ToolCalls {

	/** Stands for the id of the command that was started last. */
	private static final String LAST = "{last}";

	/** Calls of the tools under {@link ToolNaming#CLAUDE}. */
	public static final List<Call> CLAUDE = List.of(new Call("Read", "file_path", "a.txt"),
			new Call("Read", "file_path", "a.txt", "limit", 1), new Call("Read", "file_path", "windows.txt"),
			new Call("Read", "file_path", "."), new Call("Read", "file_path", "image.png"),
			new Call("Read", "file_path", "missing"), new Call("Write", "file_path", "new.txt", "content", "x\n"),
			new Call("Write", "file_path", "new.txt", "content", "y\n"),
			new Call("Write", "file_path", "a.txt", "content", "y\n", "expected_version", "1-1"),
			new Call("Edit", "file_path", "a.txt", "old_string", "two", "new_string", "2"),
			new Call("Edit", "file_path", "a.txt", "old_string", "2", "new_string", "two", "dry_run", true),
			new Call("Edit", "file_path", "b.txt", "old_string", "", "new_string", "new"),
			new Call("Edit", "file_path", "a.txt", "old_string", "missing", "new_string", "2"),
			new Call("Edit", "file_path", "a.txt", "old_string", "2", "new_string", "3", "expected_version", "1-1"),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "one", "new_string", "1"))),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "1", "new_string", "one")), "dry_run", true),
			new Call("MultiEdit", "file_path", "a.txt", "edits",
					List.of(Map.of("old_string", "missing", "new_string", "1"))),
			new Call("MultiEdit", "file_path", "a.txt", "edits", List.of(Map.of("old_string", "2", "new_string", "3")),
					"expected_version", "1-1"),
			new Call("ApplyPatch", "patch",
					"*** Begin Patch\n*** Update File: b.txt\n*** Move to: c.txt\n@@\n-new\n+old\n*** End Patch"),
			new Call("ApplyPatch", "patch", "*** Begin Patch\n*** Delete File: c.txt\n*** End Patch", "dry_run", true),
			new Call("ApplyPatch", "patch", "*** Begin Patch\n*** Delete File: b.txt\n*** End Patch"), new Call("List"),
			new Call("List", "limit", 1), new Call("List", "path", "missing"), new Call("Info"),
			new Call("Info", "path", "a.txt"), new Call("Info", "path", "image.png"),
			new Call("Info", "path", "directory"), new Call("Info", "path", "missing"),
			new Call("Glob", "pattern", "*.txt"), new Call("Glob", "pattern", "*.txt", "limit", 1),
			new Call("Glob", "pattern", "["), new Call("Grep", "pattern", "o"),
			new Call("Grep", "pattern", "o", "output_mode", "content", "head_limit", 1),
			new Call("Grep", "pattern", "o", "output_mode", "count"), new Call("Grep", "pattern", "("),
			new Call("Move", "source", "z.txt", "destination", "moved.txt"),
			new Call("Move", "source", "missing", "destination", "x"),
			new Call("Copy", "source", "directory", "destination", "copy", "recursive", true),
			new Call("Copy", "source", "moved.txt", "destination", "new.txt", "overwrite", true),
			new Call("Copy", "source", "directory", "destination", "x"), new Call("Delete", "path", "copy"),
			new Call("Delete", "path", "missing"), new Call("Delete", "path", "moved.txt", "permanent", true),
			new Call("Undelete"), new Call("Undelete", "path", "copy"), new Call("Undelete", "path", "copy"),
			new Call("Checkpoint"), new Call("Checkpoint", "name", "here"), new Call("Changes", "since", "here"),
			new Call("Write", "file_path", "later.txt", "content", "x\n"), new Call("Changes", "since", "here"),
			new Call("Rewind", "since", "here", "dry_run", true), new Call("Rewind", "since", "here"),
			new Call("Rewind", "since", "here"), new Call("Rewind", "since", "missing"),
			new Call("Changes", "since", "missing"), new Call("Checkpoint"),
			new Call("Checkpoint", "name", "here", "forget", true),
			new Call("Checkpoint", "name", "here", "forget", true), new Call("Trial", "action", "commit"),
			new Call("Trial", "action", "begin"), new Call("Trial", "action", "begin"),
			new Call("Write", "file_path", "tried.txt", "content", "x\n"), new Call("Trial", "action", "changes"),
			new Call("Checkpoint"), new Call("Trial", "action", "commit"),
			new Call("Bash", "command", "echo y > tried.txt", "trial", true), new Call("Trial", "action", "discard"),
			new Call("Trial", "action", "discard"), new Call("Bash", "command", "echo out; kill -SEGV $$"),
			new Call("Bash", "command", "seq 100000"), new Call("Read", "file_path", "@output/1", "limit", 2),
			new Call("Bash", "command", "sleep 30", "timeout", 100), new Call("Bash", "command", " "),
			new Call("Bash", "command", "echo one; read a; sleep 60", "run_in_background", true), new Call("BashList"),
			new Call("BashOutput", "bash_id", LAST, "wait_for", "one"), new Call("BashOutput", "bash_id", "bash_0"),
			new Call("BashInput", "bash_id", LAST, "text", "x\n"),
			new Call("BashInput", "bash_id", "bash_0", "text", "x"), new Call("KillBash", "bash_id", LAST),
			new Call("KillBash", "bash_id", "bash_0"), new Call("BashOutput", "bash_id", LAST), new Call("BashList"),
			new Call("BashList", "colour", "red"), new Call("Diff"), new Call("Commit", "message", "Say hello"),
			new Call("Push", "branch", "hello"));

	/** Calls of the tools that have other results under {@link ToolNaming#SNAKE_CASE}. */
	public static final List<Call> TASK = List.of(new Call("read_file", "path", "a.txt"),
			new Call("read_file", "path", "a.txt", "limit", 1), new Call("read_file", "path", "missing"),
			new Call("read_file", "path", "../outside"), new Call("write_file", "path", "c.txt", "content", "x"),
			new Call("write_file", "path", "a.txt/x", "content", "x"), new Call("list_files"),
			new Call("list_files", "limit", 1), new Call("list_files", "path", "missing"),
			new Call("get_workspace_info"), new Call("get_workspace_info", "colour", "red"));

	private ToolCalls() {
	}

	/**
	 * Returns calls of every tool.
	 * @param naming the names of the tools and their parameters
	 */
	static List<Call> under(ToolNaming naming) {
		if (naming == ToolNaming.CLAUDE) {
			return CLAUDE;
		}
		List<String> others = TASK.stream().map(Call::tool).toList();
		return Stream
			.concat(TASK.stream(),
					CLAUDE.stream().map((call) -> call.under(naming)).filter((call) -> !others.contains(call.tool())))
			.toList();
	}

	/**
	 * Creates the files that the calls are about.
	 */
	public static void makeFiles(Path root) throws IOException {
		Files.writeString(root.resolve("a.txt"), "one\ntwo\nthree\n");
		Files.writeString(root.resolve("z.txt"), "one\n");
		Files.writeString(root.resolve("windows.txt"), "caf\u00e9\r\n", StandardCharsets.ISO_8859_1);
		Files.write(root.resolve("image.png"), new byte[] { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0 });
		Files.createDirectory(root.resolve("directory"));
	}

	/**
	 * A call of a tool.
	 *
	 * @param tool the tool
	 * @param arguments its arguments
	 */
	public record Call(String tool, Map<String, Object> arguments) {

		/**
		 * Creates a call.
		 * @param tool the tool
		 * @param arguments names and values, in turns
		 */
		public Call(String tool, Object... arguments) {
			this(tool, new LinkedHashMap<>());
			for (int i = 0; i < arguments.length; i += 2) {
				this.arguments.put((String) arguments[i], arguments[i + 1]);
			}
		}

		/**
		 * Returns the arguments.
		 * @param last the id of the command that was started last
		 */
		public Map<String, Object> arguments(String last) {
			Map<String, Object> arguments = new LinkedHashMap<>(this.arguments);
			arguments.replaceAll((name, value) -> LAST.equals(value) ? last : value);
			return arguments;
		}

		/**
		 * Returns whether the call is about commands in the background or a trial, which
		 * need a session that lasts.
		 */
		boolean needsSession() {
			return this.arguments.containsValue(LAST) || this.arguments.containsValue("bash_0")
					|| this.arguments.containsKey("run_in_background") || this.arguments.containsKey("trial")
					|| Set.of("BashList", "list_commands", "Trial", "trial").contains(this.tool);
		}

		private Call under(ToolNaming naming) {
			Map<String, Object> renamed = new LinkedHashMap<>();
			this.arguments.forEach((name, value) -> renamed.put(naming.parameter(name), value));
			return new Call(naming.tool(this.tool), renamed);
		}

	}

}
