package io.kairo.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a client without a session, which sees only the text of results, can replace
 * the files that it has read.
 */
class CallsWithoutSessionTests {

	private static final Pattern VERSION = Pattern.compile("\\(version (\\S+)\\)$");

	private static final Pattern EXPECTED = Pattern.compile("expected_version=(sha256:\\w+)");

	private final ToolCatalog catalog = ToolCatalog.of(List.of(new ReadTool(), new WriteTool(), new EditTool()),
			List.of());

	@TempDir
	private Path directory;

	@AutoClose
	private AgentSessions sessions;

	@BeforeEach
	void open() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), (request) -> {
					throw new IllegalStateException("not used");
				});
	}

	@Test
	void fileCanBeReplacedWithVersionShownByRead() {
		String version = found(VERSION, call("Read", Map.of("file_path", "a.txt")));
		ToolResult written = call("Write",
				Map.of("file_path", "a.txt", "content", "two\n", "expected_version", version));
		assertThat(written.error()).as(written.text()).isNull();
		assertThat(this.directory.resolve("a.txt")).hasContent("two\n");
	}

	@Test
	void fileCanBeReplacedWithVersionShownByWriteOrEdit() {
		String created = found(VERSION, call("Write", Map.of("file_path", "b.txt", "content", "one\n")));
		String replaced = found(VERSION,
				call("Write", Map.of("file_path", "b.txt", "content", "two\n", "expected_version", created)));
		String edited = found(VERSION, call("Edit", Map.of("file_path", "b.txt", "old_string", "two", "new_string",
				"three", "expected_version", replaced)));
		String same = found(VERSION, call("Write", Map.of("file_path", "b.txt", "content", "three\n")));
		assertThat(same).isEqualTo(edited);
		assertThat(call("Write", Map.of("file_path", "b.txt", "content", "four\n", "expected_version", same)).error())
			.isNull();
	}

	@Test
	void refusedWriteShowsCurrentVersion() throws Exception {
		String current = found(VERSION, call("Read", Map.of("file_path", "a.txt")));
		ToolResult unseen = call("Write", Map.of("file_path", "a.txt", "content", "two\n"));
		assertThat(unseen.error().code()).isEqualTo("stale_read");
		assertThat(found(EXPECTED, unseen)).isEqualTo(current);
		Files.writeString(this.directory.resolve("a.txt"), "by another\n");
		ToolResult stale = call("Write", Map.of("file_path", "a.txt", "content", "two\n", "expected_version", current));
		assertThat(stale.error().code()).isEqualTo("stale_read");
		String changed = found(VERSION, call("Read", Map.of("file_path", "a.txt")));
		assertThat(found(EXPECTED, stale)).isEqualTo(changed).isNotEqualTo(current);
	}

	@Test
	void editOfUnreadFileShowsNoVersion() {
		assertThat(call("Edit", Map.of("file_path", "a.txt", "old_string", "one", "new_string", "two")).text())
			.doesNotContain("version");
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = "helper")
	void callWithSessionShowsNoVersion(String child) {
		SessionRequest session = SessionRequest.of(TenantContext.SINGLE, "s1").child(child);
		ToolCall read = new ToolCall("1", "Read", Map.of("file_path", "a.txt"));
		assertThat(this.sessions.call(session, this.catalog, read, UnaryOperator.identity()).text())
			.isEqualTo("     1\tone\n(lines 1-1 of 1; end of file)");
		SessionRequest none = SessionRequest.of(TenantContext.SINGLE, null).child(child);
		assertThat(this.sessions.call(none, this.catalog, read, UnaryOperator.identity()).text())
			.containsPattern(VERSION);
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		return this.sessions.call(SessionRequest.of(TenantContext.SINGLE, null), this.catalog,
				new ToolCall("1", tool, arguments), UnaryOperator.identity());
	}

	private static String found(Pattern pattern, ToolResult result) {
		Matcher matcher = pattern.matcher(result.text());
		assertThat(matcher.find()).as(result.text()).isTrue();
		return matcher.group(1);
	}

}
