package io.kairo.sandbox.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import com.sun.management.UnixOperatingSystemMXBean;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.backend.CommandSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests that a {@link LocalProcessSandbox} releases its resources.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ResourceReleaseTests {

	@TempDir
	Path workspace;

	@TempDir
	Path spill;

	private final List<LocalProcessSandbox> sandboxes = new ArrayList<>();

	private Commands commands() {
		LocalProcessSandbox sandbox = new LocalProcessSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.spill)));
		this.sandboxes.add(sandbox);
		return new Commands(sandbox, this.workspace);
	}

	@AfterEach
	void close() {
		this.sandboxes.forEach(LocalProcessSandbox::close);
	}

	private static long openFiles() {
		return ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getOpenFileDescriptorCount();
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("kairo-"))
			.peek((thread) -> assertThat(thread.isDaemon()).isTrue())
			.count();
	}

	/**
	 * Returns the number of files in the private directory, except its own.
	 */
	private long spillFiles() {
		try (Stream<Path> files = Files.walk(this.spill)) {
			return files.filter((file) -> Files.isRegularFile(file) && !file.toString().matches(".*(/lock|-owner)"))
				.count();
		}
		catch (IOException ex) {
			return -1;
		}
	}

	@Test
	void sandboxHoldsNoResourcesBeforeTheFirstCommand() {
		long files = openFiles();
		commands();
		assertThat(threads()).isZero();
		assertThat(openFiles()).isLessThanOrEqualTo(files);
		assertThat(this.spill).isEmptyDirectory();
	}

	@Test
	void closedSandboxLeavesNoControlGroup() throws IOException {
		Commands commands = commands();
		int before = HostFeatures.controlGroups().size();
		commands.run("sleep 0.001 &");
		commands.start("sleep 60");
		assertThat(HostFeatures.controlGroups().size() > before).isEqualTo(HostFeatures.canCreateControlGroups());
		close();
		await().untilAsserted(() -> assertThat(HostFeatures.controlGroups()).hasSizeLessThanOrEqualTo(before));
	}

	@Test
	void endedCommandsReleaseTheirResources() {
		Commands commands = commands();
		commands.run("true");
		long files = openFiles();
		long heap = heap();
		for (int i = 0; i < StressLevel.select(24, 600); i++) {
			switch (i % 3) {
				case 0 -> commands.run("echo hi; sleep 0.001 &");
				case 1 -> commands.run("head -c 1000000 /dev/zero");
				default -> commands.start("sleep 60").close();
			}
		}
		await().untilAsserted(() -> {
			assertThat(openFiles()).isLessThanOrEqualTo(files);
			assertThat(threads()).isZero();
			assertThat(spillFiles()).isZero();
			assertThat(ProcessHandle.current().children()).isEmpty();
			assertThat(heap() - heap).isLessThan(2_000_000);
		});
	}

	private static long heap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	@Test
	void unclosedHandleReleasesItsResourcesAfterTheTimeout() {
		Commands commands = commands();
		commands.run("true");
		long files = openFiles();
		commands.start("sleep 60", (request) -> request.timeout(Duration.ofMillis(100)));
		await().untilAsserted(() -> {
			assertThat(openFiles()).isLessThanOrEqualTo(files);
			assertThat(threads()).isZero();
		});
	}

	@Test
	void abandonedSubscriberEndsWithTheHandle() {
		Commands commands = commands();
		SandboxHandle handle = commands.start("sleep 60");
		handle.output().subscribe();
		await().until(() -> threads() > 0);
		handle.close();
		await().until(() -> threads() == 0);
	}

	@Test
	void refusedRequestsReleaseTheirResources() throws IOException {
		Commands commands = commands();
		commands.run("true");
		await().until(() -> threads() == 0);
		long files = openFiles();
		int groups = HostFeatures.controlGroups().size();
		Map<String, String> large = Map.of("A", "x".repeat(130_000), "B", "x".repeat(130_000), "C",
				"x".repeat(130_000));
		List<UnaryOperator<SandboxRequest.Builder>> wrong = List.of(
				(request) -> request.attributes(SandboxAttributes.builder().protectedPaths(List.of("p")).build()),
				(request) -> request.env(Map.of("A=", "")), startingIn(this.workspace.resolve("missing")),
				startingIn(Path.of("/etc/passwd")), (request) -> request.env(Map.of("A", "\0")),
				(request) -> request.env(manyEntries(large)));
		for (int i = 0; i < StressLevel.select(12, 100); i++) {
			UnaryOperator<SandboxRequest.Builder> changes = wrong.get(i % wrong.size());
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> commands.start("true", changes));
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> commands.start("\0"));
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> commands.start("x".repeat(140_000)));
		}
		await().until(() -> threads() == 0);
		assertThat(openFiles()).isLessThanOrEqualTo(files);
		assertThat(spillFiles()).isZero();
		assertThat(ProcessHandle.current().children()).isEmpty();
		assertThat(HostFeatures.controlGroups()).hasSizeLessThanOrEqualTo(groups);
	}

	private static UnaryOperator<SandboxRequest.Builder> startingIn(Path directory) {
		return (request) -> request.attributes(SandboxAttributes.builder().workingDirectory(directory).build());
	}

	private static Map<String, String> manyEntries(Map<String, String> entries) {
		Map<String, String> many = new HashMap<>();
		for (int i = 0; i < 30; i++) {
			for (Map.Entry<String, String> entry : entries.entrySet()) {
				many.put(entry.getKey() + i, entry.getValue());
			}
		}
		return many;
	}

}
