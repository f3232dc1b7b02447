package io.kairo.workspace.ephemeral;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.host.ProcessIdentity;
import io.kairo.workspace.local.disk.MemoryDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the remains of processes that end without a release, with real processes.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class EphemeralSweepTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path directory;

	private Path seeds;

	private final List<Process> processes = new ArrayList<>();

	private EphemeralWorkspaceProvider provider;

	@BeforeEach
	void prepare() throws IOException {
		this.directory = this.temp.resolve("made");
		this.seeds = Files.createDirectories(this.temp.resolve("seeds"));
		this.provider = new EphemeralWorkspaceProvider(EphemeralOptions.in(this.directory));
	}

	@AfterEach
	void endProcesses() throws InterruptedException {
		for (Process process : this.processes) {
			process.destroyForcibly().waitFor();
		}
		this.provider.close();
	}

	private Process start(String... hints) throws IOException {
		Process process = EphemeralProcess.start(this.directory, this.seeds, hints);
		this.processes.add(process);
		return process;
	}

	private static BufferedReader output(Process process) throws IOException {
		BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
		assertThat(output.readLine()).isEqualTo("started");
		return output;
	}

	private Workspace acquire() {
		return this.provider.acquire(WorkspaceRequest.writable(null));
	}

	private List<String> names() throws IOException {
		try (Stream<Path> entries = Files.list(this.directory)) {
			return entries.map((entry) -> entry.getFileName().toString()).sorted().toList();
		}
	}

	@Test
	void sweepKeepsWorkspacesOfLivingProcess() throws Exception {
		Process other = start("", "");
		BufferedReader output = output(other);
		Path first = Path.of(output.readLine());
		Path second = Path.of(output.readLine());
		Files.writeString(first.resolve("file"), "x");
		Workspace own = acquire();
		this.provider.sweep();
		assertThat(first.resolve("file")).hasContent("x");
		assertThat(second).isDirectory();
		other.getOutputStream().write('\n');
		other.getOutputStream().flush();
		assertThat(output.readLine()).isEqualTo("released");
		assertThat(first).doesNotExist();
		assertThat(second).doesNotExist();
		assertThat(own.root()).isDirectory();
	}

	@Test
	void sweepRemovesOnlyWorkspacesOfKilledProcess() throws Exception {
		Process living = start("");
		Path kept = Path.of(output(living).readLine());
		Process other = start("", "");
		BufferedReader output = output(other);
		Path first = Path.of(output.readLine());
		Path deep = Files.createDirectories(Path.of(output.readLine()).resolve("a/b/c"));
		Path foreign = Files.createDirectories(this.directory.resolve("of-somebody-else/dir"));
		Files.writeString(this.directory.resolve("1-2-not-a-claim"), "x");
		other.destroyForcibly().waitFor();
		assertThat(deep).isDirectory();
		Workspace own = acquire();
		assertThat(first).doesNotExist();
		assertThat(deep.getParent().getParent().getParent()).doesNotExist();
		assertThat(List.of(kept, foreign, own.root(), this.directory.resolve("1-2-not-a-claim")))
			.allMatch(Files::exists);
		assertThat(names()).hasSize(2 + 2 + 2).filteredOn((name) -> name.endsWith(".claim")).hasSize(2);
	}

	@Test
	void sweepRemovesIncompleteCopyOfKilledProcess() throws Exception {
		Path seed = Files.createDirectories(this.seeds.resolve("large"));
		for (int i = 0; i < 5000; i++) {
			Path parent = Files.createDirectories(seed.resolve("d" + i / 100));
			Files.writeString(parent.resolve("f" + i), "x".repeat(1000));
		}
		Process other = start("large", "large", "large", "large", "large", "large", "large", "large");
		output(other);
		await().atMost(PATIENCE).pollInterval(Duration.ofMillis(2)).until(() -> {
			try (Stream<Path> made = Files.walk(this.directory, 3)) {
				return made.anyMatch((path) -> path.endsWith("d3"));
			}
			catch (IOException | java.io.UncheckedIOException ex) {
				return false;
			}
		});
		other.destroyForcibly().waitFor();
		assertThat(names()).hasSizeGreaterThan(1);
		this.provider.sweep();
		assertThat(names()).isEmpty();
	}

	@Test
	void sweepDistinguishesProcessesWithTheSamePid() throws IOException {
		String claim = ProcessHandle.current().pid() + "-12345-9f0ff0c8-0000-4000-8000-000000000000";
		Path left = Files.createDirectories(this.directory.resolve(claim + ".left/dir")).getParent();
		Files.createFile(this.directory.resolve(claim + ".claim"));
		ProcessIdentity current = ProcessIdentity.current();
		ProcessIdentity ended = new ProcessIdentity(current.namespace(), current.pid(), 12346);
		Path unclaimed = Files
			.createDirectories(this.directory.resolve(ended.prefix() + "9f0ff0c8-0000-4000-8000-000000000000-left"));
		this.provider.sweep();
		assertThat(left).doesNotExist();
		assertThat(unclaimed).doesNotExist();
		assertThat(names()).isEmpty();
	}

	@Test
	void sweepKeepsWorkspaceWhoseClaimWasRemoved() throws Exception {
		Process other = start("");
		Path first = Path.of(output(other).readLine());
		try (Stream<Path> claims = Files.list(this.directory)) {
			for (Path claim : claims.filter((entry) -> entry.toString().endsWith(".claim")).toList()) {
				Files.delete(claim);
			}
		}
		this.provider.sweep();
		assertThat(first).isDirectory();
		other.destroyForcibly().waitFor();
		this.provider.sweep();
		assertThat(first).isDirectory();
	}

	@Test
	void twoProvidersOfOneProcessDoNotInterfere() throws IOException {
		Workspace own = acquire();
		try (EphemeralWorkspaceProvider second = new EphemeralWorkspaceProvider(EphemeralOptions.in(this.directory))) {
			Workspace others = second.acquire(WorkspaceRequest.writable(null));
			second.sweep();
			this.provider.sweep();
			assertThat(others.root()).isDirectory();
			assertThat(own.root()).isDirectory();
			second.close();
			assertThat(others.root()).doesNotExist();
		}
		assertThat(own.root()).isDirectory();
		this.provider.close();
		assertThat(names()).isEmpty();
	}

}
