package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.attack.AttackScene;
import io.kairo.api.attack.Finding;
import io.kairo.api.attack.HostCanary;
import io.kairo.api.attack.Trees;
import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The scene of one attack: a sandbox with a workspace on a host with a secret. For use by
 * one thread.
 */
public final class SandboxScene implements AttackScene {

	private static final String MARK = "KAIRO_ATTACK";

	private static final TenantContext OTHER_TENANT = new TenantContext("other", "other");

	/** A unique number of seconds to sleep. */
	private final String token = "6" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	private final Path directory;

	private final HostState before;

	private final HostCanary canary;

	private final PlainShell plain;

	private final Trial trial;

	private final BiFunction<String, Path, @Nullable List<String>> program;

	private final ToIntFunction<String> processes;

	private final List<String> evidence = new ArrayList<>();

	private List<ProcessHandle> survivors = List.of();

	SandboxScene(Supplier<ExecutionSandbox> sandboxes, BiFunction<String, Path, @Nullable List<String>> program,
			ToIntFunction<String> processes) throws IOException {
		this.directory = Files.createTempDirectory("attack-").toRealPath();
		this.before = HostState.now(name());
		this.canary = new HostCanary(this.directory.resolve("outside"));
		Path workspace = Files.createDirectory(this.directory.resolve("workspace"));
		this.plain = new PlainShell(workspace, Map.of(MARK, this.token));
		this.trial = new Trial(sandboxes.get(), workspace, processes);
		this.processes = processes;
		this.program = program;
	}

	private String name() {
		return this.directory.getFileName().toString();
	}

	Trial trial() {
		return this.trial;
	}

	HostCanary canary() {
		return this.canary;
	}

	PlainShell plain() {
		return this.plain;
	}

	Path workspace() {
		return this.trial.workspace();
	}

	/**
	 * Creates a directory beside the workspace.
	 */
	Path beside(String name) throws IOException {
		return Files.createDirectories(this.directory.resolve(name));
	}

	@Nullable List<String> program(String command) {
		return this.program.apply(in(command), workspace());
	}

	/**
	 * Replaces the placeholders in a command.
	 */
	String in(String command) {
		return command.replace("{secret}", this.canary.file().toString())
			.replace("{outside}", this.canary.directory().toString())
			.replace("{drop}", this.canary.drop().toString())
			.replace("{sleep}", "sleep " + this.token);
	}

	/**
	 * Returns a pattern for the argument of the process {@code {sleep}}. The pattern does
	 * not match itself as an argument of {@code grep}.
	 */
	String sleepPattern() {
		int last = this.token.length() - 1;
		return "'" + this.token.substring(0, last) + "[" + this.token.substring(last) + "]'";
	}

	UnaryOperator<SandboxRequest.Builder> marked(Map<String, String> more) {
		Map<String, String> env = new HashMap<>(more);
		env.put(MARK, this.token);
		return (request) -> request.env(env);
	}

	Outcome run(String command) {
		return run(command, Map.of());
	}

	Outcome run(String command, Map<String, String> env) {
		return this.trial.run(in(command), marked(env));
	}

	/**
	 * Starts a command of another tenant, in a workspace beside.
	 */
	SandboxHandle startOther(String command) throws IOException {
		return this.trial.sandbox()
			.start(marked(Map.of()).apply(new SandboxRequest.Builder(in(command), beside("other")).tenant(OTHER_TENANT))
				.build());
	}

	/**
	 * Runs an attack that prints only its findings, and asserts that it ran to its end.
	 */
	String attack(String command) {
		String out = run("{ " + command + "\n} 2>/dev/null; echo; echo ran").out();
		assertThat(out).as("the attack: %s", command).endsWith("\nran\n");
		return out;
	}

	/**
	 * Empties the workspace.
	 */
	void reset() throws IOException {
		try (Stream<Path> files = Files.list(workspace())) {
			files.forEach(SandboxScene::delete);
		}
	}

	private static void delete(Path file) {
		try {
			Trees.delete(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Counts the processes that {@code {sleep}} started, on this machine and in
	 * sandboxes.
	 */
	int sleepers() {
		return this.processes.applyAsInt(this.token);
	}

	/**
	 * Returns the processes of this machine that an attack started.
	 */
	List<ProcessHandle> alive() {
		return HostProcesses.withMark(this.token);
	}

	/**
	 * Records a finding of an attack for the message of a failed test.
	 */
	Finding found(Finding finding, String what) {
		if (finding == Finding.BROKEN) {
			this.evidence.add(what);
		}
		return finding;
	}

	@Override
	public void assertUntouched() throws Exception {
		this.canary.assertUntouched();
		assertThat(workspace()).isDirectory();
	}

	@Override
	public void close() throws Exception {
		try {
			this.trial.close();
		}
		finally {
			this.survivors = alive();
			this.survivors.forEach(ProcessHandle::destroyForcibly);
			delete(this.directory);
		}
	}

	@Override
	public void assertNothingLeft() {
		assertThat(this.survivors).as("survivors").isEmpty();
		this.before.assertNothingMore(name());
	}

	@Override
	public String toString() {
		return this.evidence.toString();
	}

}
