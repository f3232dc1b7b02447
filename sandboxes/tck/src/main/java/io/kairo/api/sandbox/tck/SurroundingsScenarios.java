package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Scenarios for the environment and the standard input of a command.
 */
abstract class SurroundingsScenarios {

	/** Variables that shells add themselves. */
	private static final Set<String> OF_THE_SHELL = Set.of("PWD", "OLDPWD", "SHLVL", "_");

	abstract Trial trial();

	abstract Set<String> inherited();

	abstract boolean showsTemporaryFiles();

	abstract Set<String> shared();

	/**
	 * Returns the names of environment variables of the JVM that a command must not see.
	 */
	private List<String> secrets() {
		List<String> secrets = System.getenv()
			.keySet()
			.stream()
			.filter((name) -> !inherited().contains(name) && !OF_THE_SHELL.contains(name))
			.toList();
		assertThat(secrets).as("a variable to hide: run the tests with an additional environment variable")
			.isNotEmpty();
		return secrets;
	}

	private List<String> namesSeen(Map<String, String> env) {
		String[] lines = trial().run("env", (request) -> request.env(env)).out().split("\n");
		return Arrays.stream(lines).map((line) -> line.replaceFirst("=.*", "")).toList();
	}

	@Test
	void environmentOfTheJvmIsNotInherited() {
		assertThat(namesSeen(Map.of("OWN", "mine"))).contains("PATH", "OWN").doesNotContainAnyElementsOf(secrets());
	}

	@Test
	void environmentOfTheJvmIsUnreachableOrTheReasonIsGiven() {
		if (trial().claims(SandboxCapability.ENV_ISOLATION)) {
			String found = trial().run("env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").out();
			assertThat(found).as("the environment of the command itself").contains("PATH=");
			for (String name : secrets()) {
				assertThat(found.lines()).noneMatch((line) -> line.startsWith(name + "="));
			}
		}
		else {
			trial().assertReason(SandboxCapability.ENV_ISOLATION);
		}
	}

	@Test
	void variablesOfTheRequestArriveUnchanged() {
		String value = "it's \"quoted\" $HOME `x` \\ and\ntwo lines";
		assertThat(trial().run("printf %s \"$OWN\"", (request) -> request.env(Map.of("OWN", value))).out())
			.isEqualTo(value);
	}

	@Test
	void variablesOfTheRequestOverrideInheritedOnes() {
		assertThat(trial().run("echo $HOME", (request) -> request.env(Map.of("HOME", "/own"))).out())
			.isEqualTo("/own\n");
	}

	@Test
	void variablesOfOneCommandAreNotInheritedByTheNext() {
		assertThat(namesSeen(Map.of("OWN", "mine"))).contains("OWN");
		assertThat(namesSeen(Map.of())).doesNotContain("OWN");
	}

	@Test
	void variablesThatACommandExportsAreNotInheritedByTheNextOfItsSession() {
		UnaryOperator<SandboxRequest.Builder> session = Trial.attributes((attributes) -> attributes.sessionId("one"));
		assertThat(trial().run("export KEPT=1; own() { :; }; echo $KEPT", session).out()).isEqualTo("1\n");
		assertThat(trial().run("echo ${KEPT-none}; own 2>/dev/null || echo $?", session).out())
			.isEqualTo("none\n127\n");
	}

	@Test
	void temporaryFilesOfASessionAreShownForItsOwnerOrNotAtAll() throws IOException {
		ExecutionSandbox sandbox = trial().sandbox();
		String id = "shown" + System.nanoTime();
		assertThat(sandbox.temporaryFiles(TenantContext.SINGLE, id)).as("before a command").isNull();
		String target = writeTemporaryFile(id, TenantContext.SINGLE);
		SessionDirectory shown = sandbox.temporaryFiles(TenantContext.SINGLE, id);
		assertThat(shown != null).as("shown").isEqualTo(showsTemporaryFiles());
		TenantContext other = new TenantContext("other", TenantContext.SINGLE.principalId());
		assertThat(sandbox.temporaryFiles(other, id)).as("of another tenant").isNull();
		if (shown == null) {
			return;
		}
		assertThat(shown.target()).isEqualTo(target);
		assertThat(shown.source().resolve("file")).hasContent(TenantContext.SINGLE.tenantId());
		assertThat(shown.intact().getAsBoolean()).isTrue();
		writeTemporaryFile(id, other);
		assertThat(shown.source().resolve("file")).hasContent(TenantContext.SINGLE.tenantId());
		SessionDirectory theirs = Objects.requireNonNull(sandbox.temporaryFiles(other, id));
		assertThat(theirs.source().resolve("file")).hasContent("other");
	}

	@Test
	void filesInSharedDirectoriesAreThoseOfTheSession() {
		List<String> directories = trial().sandbox().sharedDirectories(TenantContext.SINGLE);
		assertThat(directories).as("shared directories").hasSameElementsAs(shared()).doesNotHaveDuplicates();
		TenantContext other = new TenantContext("other", TenantContext.SINGLE.principalId());
		String session = "shared" + System.nanoTime();
		for (String directory : directories) {
			String file = directory + "/" + session;
			try (SandboxHandle meanwhile = trial().start("echo kept > " + file + "; sleep 60", in(session, null))) {
				Awaitility.await()
					.atMost(Trial.PATIENCE)
					.untilAsserted(() -> assertThat(trial().run("cat " + file, in(session, null)).out())
						.as("beside the command")
						.isEqualTo("kept\n"));
				assertThat(trial().run("cat " + file, in(session + "2", null)).out()).as("another session").isEmpty();
				assertThat(trial().run("cat " + file, in(session, other)).out()).as("another tenant").isEmpty();
			}
			assertThat(trial().run("cat " + file, in(session, null)).out()).as("afterwards").isEqualTo("kept\n");
		}
	}

	/**
	 * Returns the changes for a request of a session, whose workspace may be below a
	 * shared directory.
	 */
	private UnaryOperator<SandboxRequest.Builder> in(String session, @Nullable TenantContext tenant) {
		String apart = trial().claims(SandboxCapability.MOUNTS) ? "/workspace" : null;
		return (request) -> Trial.attributes((attributes) -> attributes.sessionId(session).workspaceTarget(apart))
			.apply(request)
			.tenant(tenant);
	}

	@Test
	void closingEndsTheTemporaryFilesOfASession() throws Exception {
		writeTemporaryFile("closed", TenantContext.SINGLE);
		SessionDirectory shown = trial().sandbox().temporaryFiles(TenantContext.SINGLE, "closed");
		if (trial().closeSandbox()) {
			assertThat(trial().sandbox().temporaryFiles(TenantContext.SINGLE, "closed")).isNull();
			assertThat(shown == null || !shown.intact().getAsBoolean()).isTrue();
		}
	}

	/**
	 * Writes the id of the tenant to a file, and returns its directory. The workspace of
	 * a test may be below it. A file that is not shown may be one of the host.
	 */
	private String writeTemporaryFile(String session, TenantContext tenant) {
		String apart = trial().claims(SandboxCapability.MOUNTS) ? "/workspace" : null;
		UnaryOperator<SandboxRequest.Builder> attributes = Trial
			.attributes((builder) -> builder.sessionId(session).workspaceTarget(apart));
		return trial()
			.run("d=${TMPDIR:-/tmp}; echo " + tenant.tenantId() + " > $d/file; echo $d"
					+ (showsTemporaryFiles() ? "" : "; rm $d/file"),
					(request) -> attributes.apply(request).tenant(tenant))
			.out()
			.strip();
	}

	/**
	 * The victim is a child in the foreground, since shells ignore signals in others. It
	 * is signalled until it has ended, since a shell that becomes it may ignore one.
	 */
	@Test
	void signalsAreNeitherIgnoredNorBlocked() {
		String command = """
				for signal in HUP INT QUIT USR1 TERM; do
					(until [ -s $signal ]; do sleep 0.02; done
						victim=$(cat $signal)
						while kill -$signal $victim; do sleep 0.02; done) > /dev/null 2>&1 &
					(echo $(exec sh -c 'echo $PPID') > $signal; exec sleep 20)
					echo $signal $?
				done
				""";
		assertThat(trial().run(command).out()).isEqualTo("HUP 129\nINT 130\nQUIT 131\nUSR1 138\nTERM 143\n");
	}

	@Test
	void javaUsesTheDirectoriesOfTheEnvironment() {
		Map<String, String> directories = Map.of("HOME", "/tmp/its home", "TMPDIR", "/tmp/own");
		assertThat(trial().run("echo $JAVA_TOOL_OPTIONS", (request) -> request.env(directories)).out())
			.contains("\"-Duser.home=/tmp/its home\" -Djava.io.tmpdir=/tmp/own");
		String notice = "[ -z \"$JAVA_TOOL_OPTIONS\" ] || echo \"Picked up JAVA_TOOL_OPTIONS: $JAVA_TOOL_OPTIONS\"; ";
		Outcome outcome = trial().run(notice + "echo out; (" + notice + "echo err) >&2");
		assertThat(outcome.out()).isEqualTo("out\n");
		assertThat(outcome.err()).isEqualTo("err\n");
		String java = "if ! command -v java > /dev/null; then echo \"$HOME\"; else "
				+ "java -Xint -XshowSettings:properties -version 2>&1 | sed -n 's/^ *user.home = //p'; fi; echo \"$HOME\"";
		String[] homes = trial().run(java).out().split("\n");
		assertThat(homes).hasSize(2);
		assertThat(homes[0]).isEqualTo(homes[1]);
	}

	@Test
	void outputCanBeOpenedByItsPath() {
		Outcome outcome = trial()
			.run("echo a > /dev/stdout; echo b > /dev/stderr; echo c > /dev/fd/1; echo d > /dev/fd/2");
		assertThat(outcome.out()).isEqualTo("a\nc\n");
		assertThat(outcome.err()).isEqualTo("b\nd\n");
	}

	/**
	 * Programs ask for these files, and stop if they are there and cannot be read.
	 */
	@Test
	void filesOfTheSystemAreReadableOrAbsent() {
		String files = "/etc/debian_version /etc/profile /etc/bash.bashrc /etc/wgetrc /etc/inputrc /etc/lsb-release";
		assertThat(trial().run("for file in " + files + "; do [ ! -e $file ] || cat $file > /dev/null; done").err())
			.isEmpty();
	}

	@Test
	void standardInputIsEmptyUnlessRequested() {
		assertThat(trial().run("cat; echo end").out()).isEqualTo("end\n");
		try (SandboxHandle handle = trial().start("sleep 0.2")) {
			OutputStream stdin = handle.stdin();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> stdin.write(1));
		}
	}

	@Test
	void standardInputReachesTheCommandOrIsRefused() throws IOException {
		SandboxAttributes attributes = SandboxAttributes.builder().stdin(true).build();
		if (!trial().claims(SandboxCapability.STDIN)) {
			trial().assertRefusedForLackOf(SandboxCapability.STDIN, "cat", (request) -> request.attributes(attributes));
			return;
		}
		try (SandboxHandle handle = trial().start("read line; echo got $line; cat",
				(request) -> request.attributes(attributes))) {
			handle.stdin().write("one\n".getBytes(StandardCharsets.UTF_8));
			handle.stdin().flush();
			SandboxOutputChunk first = handle.output().blockFirst(Trial.PATIENCE);
			assertThat(first).isNotNull();
			handle.stdin().write("two".getBytes(StandardCharsets.UTF_8));
			handle.stdin().close();
			assertThat(Trial.exit(handle).exitCode()).isZero();
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class))).isEqualTo("got one\ntwo");
		}
	}

}
