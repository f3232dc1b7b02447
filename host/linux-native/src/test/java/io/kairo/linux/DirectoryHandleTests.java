package io.kairo.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DirectoryHandle}. Each leaves as many descriptors open as it found.
 */
@EnabledOnOs(OS.LINUX)
@EnabledForJreRange(minVersion = 22)
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectoryHandleTests {

	private static final int ENOTDIR = 20;

	private static final int EXDEV = 18;

	private static final int ELOOP = 40;

	private final NativeLinux linux = NativeLinux.find();

	@TempDir
	Path temp;

	private Path directory;

	private long descriptors;

	@BeforeEach
	void createDirectory() throws IOException {
		this.directory = Files.createDirectory(this.temp.toRealPath().resolve("directory"));
		Files.writeString(this.directory.resolve("file"), "text");
		Files.createDirectory(this.directory.resolve("below"));
		Files.createSymbolicLink(this.directory.resolve("link"), Path.of("file"));
		Files.createSymbolicLink(this.directory.resolve("links"), Path.of("below"));
		this.descriptors = descriptors();
	}

	@AfterEach
	void countDescriptors() throws IOException {
		assertThat(descriptors()).isEqualTo(this.descriptors);
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

	@Test
	void listsEveryEntryWithItsType() throws Exception {
		run("mkfifo fifo; touch \"$(printf 'bad\\377name')\" .hidden ..dots");
		Files.createFile(this.directory.resolve("\u00e4"));
		Map<String, DirectoryEntry.Type> types = new HashMap<>();
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory)) {
			List<DirectoryEntry> entries = all(handle);
			entries.forEach((entry) -> types.put(entry.name(), entry.type()));
			assertThat(entries).filteredOn((entry) -> !entry.text())
				.singleElement()
				.satisfies((entry) -> assertThat(entry.name()).startsWith("bad").endsWith("name"));
			assertThat(handle.next()).isEmpty();
		}
		types.keySet().removeIf((name) -> name.startsWith("bad"));
		assertThat(types).containsOnly(Map.entry("file", DirectoryEntry.Type.FILE),
				Map.entry(".hidden", DirectoryEntry.Type.FILE), Map.entry("..dots", DirectoryEntry.Type.FILE),
				Map.entry("\u00e4", DirectoryEntry.Type.FILE), Map.entry("below", DirectoryEntry.Type.DIRECTORY),
				Map.entry("link", DirectoryEntry.Type.LINK), Map.entry("links", DirectoryEntry.Type.LINK),
				Map.entry("fifo", DirectoryEntry.Type.OTHER));
	}

	@Test
	void listsMoreEntriesThanOneReadReturns() throws IOException {
		String name = "x".repeat(200);
		Set<String> expected = new HashSet<>();
		for (int i = 0; i < 2000; i++) {
			Files.createFile(this.directory.resolve("below").resolve(name + i));
			expected.add(name + i);
		}
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory.resolve("below"))) {
			List<DirectoryEntry> first = handle.next();
			assertThat(first).hasSizeBetween(1, 1999);
			List<DirectoryEntry> entries = all(handle);
			entries.addAll(first);
			assertThat(entries).hasSize(2000).allMatch((entry) -> expected.contains(entry.name()));
			assertThat(entries.stream().map(DirectoryEntry::name).distinct()).hasSize(2000);
		}
	}

	@Test
	void removedDirectoryHasNoEntries() throws IOException {
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory.resolve("below"))) {
			Files.delete(this.directory.resolve("below"));
			assertThat(handle.next()).isEmpty();
		}
	}

	@Test
	void entriesAreThoseOfTheOpenDirectory() throws IOException {
		Files.writeString(this.directory.resolve("below/file"), "below");
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory)) {
			Path moved = Files.move(this.directory, this.temp.resolve("moved"));
			Files.createSymbolicLink(this.directory, Path.of("/"));
			assertThat(read(handle, "file")).isEqualTo("text");
			assertThat(handle.status("file").size()).isEqualTo(4);
			assertThat(handle.status().inode()).isEqualTo(Files.getAttribute(moved, "unix:ino"));
			assertThat(handle.path("file")).hasContent("text");
			try (DirectoryHandle below = handle.directory("below")) {
				assertThat(read(below, "file")).isEqualTo("below");
			}
		}
	}

	@Test
	void noLinkIsFollowed() throws IOException {
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory)) {
			assertError(() -> handle.file("link"), ELOOP);
			assertError(() -> handle.file("links/file"), ELOOP);
			assertThat(handle.status("link").isLink()).isTrue();
			assertThatExceptionOfType(SystemCallException.class).isThrownBy(() -> handle.directory("links"))
				.satisfies((ex) -> assertThat(ex.error()).isIn(ELOOP, ENOTDIR));
		}
		assertThatExceptionOfType(SystemCallException.class)
			.isThrownBy(() -> DirectoryHandle.open(this.linux, this.directory.resolve("links")));
		assertError(() -> DirectoryHandle.open(this.linux, Path.of("/proc/self/cwd/src")), ELOOP);
	}

	@Test
	void nothingAboveIsOpened() throws IOException {
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory)) {
			assertError(() -> handle.directory(".."), EXDEV);
			assertError(() -> handle.directory("below/../.."), EXDEV);
			assertError(() -> handle.file("/etc/passwd"), EXDEV);
		}
	}

	@Test
	void missingAndOtherEntriesAreErrors() throws IOException {
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory)) {
			assertError(() -> handle.file("missing"), SystemCallException.ENOENT);
			assertError(() -> handle.status("missing"), SystemCallException.ENOENT);
			assertError(() -> handle.directory("file"), ENOTDIR);
		}
	}

	@Test
	void fifoDoesNotBlock() throws Exception {
		run("mkfifo fifo");
		try (DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory);
				OpenFile fifo = handle.file("fifo")) {
			assertThat(fifo.status().isRegularFile()).isFalse();
			assertError(() -> handle.directory("fifo"), ENOTDIR);
		}
	}

	@Test
	void closedDirectoryMakesNoCall() throws IOException {
		DirectoryHandle handle = DirectoryHandle.open(this.linux, this.directory);
		handle.close();
		try (DirectoryHandle sameNumber = DirectoryHandle.open(this.linux, this.directory)) {
			handle.close();
			assertThat(sameNumber.next()).isNotEmpty();
			for (ThrowingCallable call : List.<ThrowingCallable>of(handle::next, handle::status,
					() -> handle.status("file"), () -> handle.file("file"), () -> handle.directory("below"),
					() -> handle.path("file"))) {
				assertError(call, SystemCallException.EBADF);
			}
		}
	}

	private static void assertError(ThrowingCallable call, int error) {
		assertThatExceptionOfType(SystemCallException.class).isThrownBy(call)
			.satisfies((ex) -> assertThat(ex.error()).isEqualTo(error));
	}

	private static List<DirectoryEntry> all(DirectoryHandle handle) throws IOException {
		List<DirectoryEntry> all = new ArrayList<>();
		for (List<DirectoryEntry> some = handle.next(); !some.isEmpty(); some = handle.next()) {
			all.addAll(some);
		}
		return all;
	}

	private static String read(DirectoryHandle handle, String name) throws IOException {
		try (OpenFile file = handle.file(name)) {
			ByteBuffer buffer = ByteBuffer.allocate(100);
			file.read(buffer, 0);
			return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
		}
	}

	private void run(String script) throws Exception {
		assertThat(
				new ProcessBuilder("sh", "-c", script).directory(this.directory.toFile()).inheritIO().start().waitFor())
			.isZero();
	}

}
