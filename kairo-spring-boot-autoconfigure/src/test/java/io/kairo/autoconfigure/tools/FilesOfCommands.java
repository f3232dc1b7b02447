package io.kairo.autoconfigure.tools;

import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolResult;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The files that commands leave outside of the workspace, and the tools that read them by
 * the paths that commands print.
 */
public final class FilesOfCommands {

	private static final String MAKE = """
			cd %s && pwd && echo SECRET > $OLDPWD/secret && echo 'BUILD FAILURE' > out.log && mkdir -p deep/a
			i=0; while [ $i -lt 9000 ]; do i=$((i+1)); echo "line $i of a log that is longer than a part of it"; done > long
			cat long long long > "it's \\$long"; printf 'a\\000b' > binary; mkfifo pipe; echo x > denied; chmod 0 denied
			ln -s ../out.log deep/inside; ln -s /etc/passwd passwd; ln -s / root; ln -s $OLDPWD/secret secret
			ln -s $OLDPWD workspace; ln -s /proc/self/root/etc/passwd up; ln -s ../../.. deep/out; ln -s /dev/zero zero
			""";

	private final ToolCatalog catalog;

	private final AgentSessions sessions;

	private final ExecutionSandbox sandbox;

	private FilesOfCommands(ApplicationContext context) {
		this.catalog = context.getBean(ToolCatalog.class);
		this.sessions = context.getBean(AgentSessions.class);
		this.sandbox = context.getBean(ExecutionSandbox.class);
	}

	/**
	 * Lets commands leave files, and tools read them.
	 * @param context an application with an empty workspace
	 * @param directories the directories that commands of a session share, as a shell
	 * expands them
	 */
	public static void check(ApplicationContext context, String... directories) {
		for (String directory : directories) {
			new FilesOfCommands(context).check(directory);
		}
	}

	/**
	 * Lets a command in a trial leave a file, and tools read it in the trial and after
	 * it.
	 * @param context an application whose commands share a directory for temporary files
	 * in trials as well
	 */
	static void checkAfterTrial(ApplicationContext context) {
		FilesOfCommands files = new FilesOfCommands(context);
		ToolResult tried = files.call("three", "Bash", Map.of("command", "echo tried > /dev/shm/tried", "trial", true));
		assertThat(tried.error()).as(tried.text()).isNull();
		assertThat(files.read("three", "/dev/shm/tried").text()).contains("\ttried");
		ToolResult ended = files.call("three", "Trial", Map.of("action", "discard"));
		assertThat(ended.error()).as(ended.text()).isNull();
		assertThat(files.read("three", "/dev/shm/tried").text()).contains("\ttried");
	}

	private void check(String expanded) {
		ToolResult made = call("one", "Bash", Map.of("command", MAKE.formatted(expanded)));
		assertThat(made.data()).as(made.text()).containsEntry("exitCode", 0);
		String directory = made.text().lines().findFirst().orElseThrow();
		ToolResult log = read("one", directory + "/out.log");
		assertThat(log.error()).as(log.text()).isNull();
		assertThat(log.text()).contains("BUILD FAILURE");
		assertThat(log.data()).containsEntry("path", directory + "/out.log");
		assertThat(read("one", directory + "/deep/inside").text()).contains("BUILD FAILURE");
		assertThat(read("one", directory).text()).contains(directory + "/deep/", directory + "/out.log");
		assertPages(directory + "/it's $long");
		assertFailures(directory);
		assertThat(call("one", "Grep",
				Map.of("pattern", "line 8999 ", "path", directory + "/long", "output_mode", "content"))
			.text()).contains("/long:8999:line 8999 of");
		assertThat(call("one", "Write", Map.of("file_path", directory + "/new", "content", "x")).error().code())
			.isEqualTo("read_only");
		assertThat(read("two", directory + "/out.log").error()).isNotNull();
		call("two", "Bash", Map.of("command", "true"));
		assertThat(read("two", directory + "/out.log").error()).isNotNull();
		assertFilesOfTheBackground(directory);
	}

	private void assertPages(String file) {
		ToolResult page = call("one", "Read", Map.of("file_path", file, "offset", 26_999));
		assertThat(page.text()).contains(" 26999\tline 8999 of", " 27000\tline 9000 of");
		assertThat(page.data()).containsEntry("totalLines", 27_000L);
		assertThat(read("one", file).text()).contains("     1\tline 1 of", "continue with offset=");
	}

	private void assertFailures(String directory) {
		Map<String, String> codes = Map.of("binary", "unsupported_file_type", "pipe", "unsupported_file_type", "none",
				"file_not_found", "none/below", "file_not_found", "out.lgo", "file_not_found");
		codes.forEach((name, code) -> assertThat(read("one", directory + "/" + name).error()).as(name)
			.isNotNull()
			.satisfies((error) -> assertThat(error.code()).isEqualTo(code)));
		if (!isReadByRoot(directory)) {
			assertThat(read("one", directory + "/denied").error()).isNotNull()
				.satisfies((error) -> assertThat(error.code()).isEqualTo("permission_denied"));
		}
		for (String name : List.of("passwd", "root/etc/passwd", "secret", "workspace/secret", "up", "deep/out",
				"zero")) {
			ToolResult refused = read("one", directory + "/" + name);
			assertThat(refused.error()).as(name).isNotNull();
			assertThat(refused.error().code()).as(name).isIn("path_traversal_blocked", "file_not_found");
		}
		assertThat(read("one", directory + "/out.lgo").text()).contains("Did you mean '" + directory + "/out.log'");
		assertThat(read("one", "secret").text()).contains("SECRET");
	}

	/**
	 * Returns whether this machine shows a directory, and its permissions do not bind the
	 * user of the tests.
	 */
	private boolean isReadByRoot(String directory) {
		SessionDirectory shown = this.sandbox.temporaryFiles(TenantContext.SINGLE, "one");
		return shown != null && shown.target().equals(directory) && System.getProperty("user.name").equals("root");
	}

	/**
	 * Reads what a command writes that still runs.
	 */
	private void assertFilesOfTheBackground(String directory) {
		ToolResult started = call("one", "Bash", Map.of("command",
				"cd " + directory + "; echo listening > server.log; sleep 300", "run_in_background", true));
		assertThat(started.error()).as(started.text()).isNull();
		await().untilAsserted(() -> assertThat(read("one", directory + "/server.log").text()).contains("listening"));
		ToolResult ended = call("one", "KillBash", Map.of("bash_id", String.valueOf(started.data().get("id"))));
		assertThat(ended.error()).as(ended.text()).isNull();
	}

	private ToolResult read(String session, String path) {
		return call(session, "Read", Map.of("file_path", path));
	}

	private ToolResult call(String session, String tool, Map<String, Object> arguments) {
		return this.sessions.callInSession(TenantContext.SINGLE, session,
				(context) -> this.catalog.call(new ToolCall("1", tool, arguments), context));
	}

}
