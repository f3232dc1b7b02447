package io.kairo.tools.file;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.kairo.api.workspace.Workspace;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.tools.ToolResult;
import io.kairo.tools.edit.ApplyPatchTool;
import io.kairo.tools.edit.EditOptions;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.edit.MultiEditTool;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each refusal of Read, Write and Edit names a way out: a step of its own, or
 * the part of the message after a colon.
 */
class RefusalTests {

	private static final int MAX_BYTES = 64;

	private static final ToolCatalog CATALOG = ToolCatalog.of(
			List.of(new ReadTool(), new WriteTool(new WriteOptions(MAX_BYTES, 10)),
					new EditTool(new EditOptions(MAX_BYTES, 10, 10, EditOptions.defaults().deadline())),
					new MultiEditTool(new EditOptions(MAX_BYTES, 10, 10), ToolNaming.CLAUDE),
					new ApplyPatchTool(new EditOptions(MAX_BYTES, 10, 10),
							new TrashStore(Path.of("target/refusals"), TrashOptions.defaults()), ToolNaming.CLAUDE)),
			List.of());

	@TempDir
	Path directory;

	@Test
	void everyRefusalNamesWayOut() throws Exception {
		ToolContext context = context();
		Map<String, ToolResult> refusals = new LinkedHashMap<>();
		List<String> paths = List.of("missing.txt", "dir", "binary", "latin.txt", "gbk.txt", "mixed.txt", "big.txt",
				"text.txt", ".git/config", "dir/../../out", "a\u0001b", " ", "", "text.txt/below", "out-link", "loop",
				"n".repeat(300));
		for (String path : paths) {
			add(refusals, context, "Read", Map.of("file_path", path));
			add(refusals, context, "Read", Map.of("file_path", path, "offset", 0));
			for (String old : List.of("", "absent", "e", "g", "caf", "a\nb", "\uFFFD", "one\\ntwo", "\u00E9")) {
				for (String replacement : List.of("x", "\u6F22", "a\r\nb", "\uD800", "absent", "x".repeat(MAX_BYTES))) {
					add(refusals, context, "Edit",
							Map.of("file_path", path, "old_string", old, "new_string", replacement));
					add(refusals, context, "Edit", Map.of("file_path", path, "old_string", old, "new_string",
							replacement, "expected_version", "sha256:0", "replace_all", true));
				}
			}
		}
		for (String path : paths) {
			add(refusals, context, "MultiEdit", Map.of("edits",
					List.of(Map.of("file_path", path, "old_string", "e", "new_string", "x".repeat(MAX_BYTES)))));
			for (String section : List.of("*** Add File: %s\n+x\n", "*** Delete File: %s\n",
					"*** Update File: %s\n@@\n-one\n+\u6F22\n", "*** Update File: %s\n@@\n-absent\n+x\n",
					"*** Update File: text.txt\n*** Move to: %s\n", "*** Update File: %s\n*** Move to: new.txt\n")) {
				add(refusals, context, "ApplyPatch",
						Map.of("patch", "*** Begin Patch\n" + section.formatted(path) + "*** End Patch\n"));
			}
		}
		for (String path : paths) {
			add(refusals, context, "Write", Map.of("file_path", path, "content", "x"));
			add(refusals, context, "Write", Map.of("file_path", path, "content", "\u6F22"));
			add(refusals, context, "Write", Map.of("file_path", path, "content", "x", "expected_version", "absent"));
			add(refusals, context, "Write", Map.of("file_path", path, "content", "x", "expected_version", "sha256:0"));
			add(refusals, context, "Write", Map.of("file_path", path, "content", "\uD800"));
			add(refusals, context, "Write", Map.of("file_path", path, "content", "x".repeat(MAX_BYTES + 1)));
		}
		assertThat(refusals.values().stream().map((result) -> error(result).code()).collect(Collectors.toSet()))
			.contains("no_match", "several_matches", "no_change", "unmappable_characters", "uncertain_charset",
					"stale_read", "too_large", "file_not_found", "file_exists", "is_a_directory", "not_a_directory",
					"unsupported_file_type", "invalid_path", "path_traversal_blocked", "invalid_arguments");
		assertThat(refusals).allSatisfy((call, result) -> {
			ToolError error = error(result);
			String message = error.message();
			boolean inMessage = message.matches("(?s).*: \\p{L}.{5,}");
			assertThat(error.nextStep() != null || inMessage).as("%s: %s", error.code(), message).isTrue();
		});
	}

	private static ToolError error(ToolResult result) {
		ToolError error = result.error();
		assertThat(error).isNotNull();
		return error;
	}

	private static void add(Map<String, ToolResult> refusals, ToolContext context, String tool,
			Map<String, Object> arguments) {
		ToolResult result = CATALOG.call(new ToolCall("1", tool, withDryRun(tool, arguments)), context);
		if (result.error() != null) {
			refusals.put(tool + " " + arguments, result);
		}
	}

	/**
	 * Adds what keeps the files as they are, so that the calls do not depend on each
	 * other.
	 */
	private static Map<String, Object> withDryRun(String tool, Map<String, Object> arguments) {
		Map<String, Object> all = new LinkedHashMap<>(arguments);
		if (Set.of("Edit", "MultiEdit", "ApplyPatch").contains(tool)) {
			all.put("dry_run", true);
		}
		return all;
	}

	private ToolContext context() throws IOException {
		Files.createDirectories(this.directory.resolve("dir"));
		Files.write(this.directory.resolve("binary"), new byte[] { 'P', 'K', 3, 4, 0, 0, 0 });
		Files.write(this.directory.resolve("latin.txt"), "one caf\u00E9 g\n".getBytes(StandardCharsets.ISO_8859_1));
		Files.write(this.directory.resolve("gbk.txt"), new byte[] { 'k', ' ', (byte) 0x95, 'g', '\n' });
		Files.writeString(this.directory.resolve("mixed.txt"), "a\r\nb\n");
		Files.writeString(this.directory.resolve("big.txt"), "one\n".repeat(MAX_BYTES));
		Files.writeString(this.directory.resolve("text.txt"), "one two three\n");
		Files.createSymbolicLink(this.directory.resolve("out-link"), Path.of("/"));
		Files.createSymbolicLink(this.directory.resolve("loop"), Path.of("loop"));
		Workspace workspace = FileToolsFixture.workspace(this.directory);
		return ToolContext.builder(workspace)
			.files(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace))
			.build();
	}

}
