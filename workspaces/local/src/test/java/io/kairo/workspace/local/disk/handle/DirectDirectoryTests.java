package io.kairo.workspace.local.disk.handle;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.FileType;
import io.kairo.workspace.local.disk.TestWorkspaces;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link DirectDirectory}: entries that are replaced after they were listed.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectDirectoryTests {

	private final DirectoryOpener opener = DirectoryOpener.platform(null, true);

	@TempDir
	Path temp;

	private Path root;

	private Path outside;

	@BeforeEach
	void createFiles() throws IOException {
		assumeThat(DirectFiles.problem()).as("system calls").isNull();
		this.root = TestWorkspaces.directory(this.temp.toRealPath().resolve("root"));
		TestWorkspaces.file(this.root.resolve("file"), "text");
		TestWorkspaces.file(this.root.resolve("below/file"), "below");
		this.outside = TestWorkspaces.directory(this.temp.toRealPath().resolve("outside"));
		TestWorkspaces.file(this.outside.resolve("file"), "SECRET");
	}

	@Test
	void listingIsDirectUnlessSystemCallsAreSwitchedOff() throws IOException {
		try (OpenDirectory opened = this.opener.open(this.root);
				ListedDirectory direct = this.opener.listed(opened);
				ListedDirectory streamed = DirectoryOpener.platform().listed(opened)) {
			assertThat(direct).isInstanceOf(DirectDirectory.class);
			assertThat(streamed).isInstanceOf(StreamedListing.class);
			assertThat(entries(direct).keySet()).containsExactlyInAnyOrderElementsOf(entries(streamed).keySet());
		}
	}

	@Test
	void directoryWhosePathDenotesAnotherOneIsListedNevertheless() throws IOException {
		TestWorkspaces.file(this.outside.resolve("only-outside"), "");
		try (OpenDirectory opened = this.opener.open(this.root)) {
			Files.move(this.root, this.temp.resolve("moved"));
			Files.move(this.outside, this.root);
			try (ListedDirectory listed = this.opener.listed(opened)) {
				assertThat(entries(listed)).containsOnlyKeys("file", "below");
			}
		}
	}

	@Test
	void entriesAreThoseOfTheOpenDirectory() throws IOException {
		try (OpenDirectory opened = this.opener.open(this.root); ListedDirectory listed = this.opener.listed(opened)) {
			Map<String, ListedEntry> entries = entries(listed);
			Files.move(this.root, this.temp.resolve("moved"));
			TestWorkspaces.link(this.root, this.outside);
			assertThat(text(entries.get("file"))).isEqualTo("text");
			try (ListedDirectory below = entries.get("below").directory()) {
				assertThat(text(entries(below).get("file"))).isEqualTo("below");
			}
		}
	}

	@Test
	void replacedEntryIsNotOpened() throws Exception {
		try (OpenDirectory opened = this.opener.open(this.root); ListedDirectory listed = this.opener.listed(opened)) {
			Map<String, ListedEntry> entries = entries(listed);
			ListedEntry file = entries.get("file");
			ListedEntry directory = entries.get("below");
			Files.delete(this.root.resolve("file"));
			assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(file::file);
			assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(file::attributes);
			TestWorkspaces.link(this.root.resolve("file"), this.outside.resolve("file"));
			Files.move(this.root.resolve("below"), this.temp.resolve("moved"));
			TestWorkspaces.link(this.root.resolve("below"), this.outside);
			assertThatIOException().isThrownBy(file::file);
			assertThatIOException().isThrownBy(directory::directory);
			Files.delete(this.root.resolve("file"));
			TestWorkspaces.fifo(this.root.resolve("file"));
			assertThatExceptionOfType(RacedException.class).isThrownBy(file::file);
			Files.delete(this.root.resolve("file"));
			Files.createDirectory(this.root.resolve("file"));
			assertThatExceptionOfType(RacedException.class).isThrownBy(file::file);
		}
	}

	@Test
	void fileThatBecameADeviceIsNotRead() throws Exception {
		try (OpenDirectory opened = this.opener.open(this.root); ListedDirectory listed = this.opener.listed(opened)) {
			ListedEntry file = entries(listed).get("file");
			Files.delete(this.root.resolve("file"));
			Process process = new ProcessBuilder("mknod", this.root.resolve("file").toString(), "c", "1", "5")
				.redirectErrorStream(true)
				.start();
			assumeThat(process.waitFor()).as("SKIPPED: needs to make a device, which only root can do").isZero();
			assertThatExceptionOfType(RacedException.class).isThrownBy(file::file);
		}
	}

	@Test
	void typesAreThoseOfTheListingAndAttributesThoseOfTheOpenFile() throws IOException {
		try (OpenDirectory opened = this.opener.open(this.root); ListedDirectory listed = this.opener.listed(opened)) {
			Map<String, ListedEntry> entries = entries(listed);
			assertThat(entries.get("file").type()).isEqualTo(FileType.FILE);
			assertThat(entries.get("below").type()).isEqualTo(FileType.DIRECTORY);
			TestWorkspaces.file(this.root.resolve("file"), "longer text");
			try (SeekableByteChannel channel = entries.get("file").file()) {
				assertThat(channel.isOpen()).isTrue();
				assertThat(entries.get("file").attributes().size()).isEqualTo(11);
			}
		}
	}

	@Test
	void fileUnderALeaseIsReadWhenTheLeaseIsGivenBack() throws Exception {
		assumeThat(Path.of("/usr/bin/python3")).as("SKIPPED: needs Python to hold a lease").exists();
		Process holder = new ProcessBuilder("/usr/bin/python3", "-c", """
				import fcntl, os, signal, sys, time
				def give_back(number, frame):
				    time.sleep(0.2)
				    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK)
				    print("given back", flush=True)
				signal.signal(signal.SIGIO, give_back)
				fd = os.open(sys.argv[1], os.O_RDWR)
				fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
				print("held", flush=True)
				time.sleep(30)
				""", this.root.resolve("file").toString()).redirectErrorStream(true).start();
		try (OpenDirectory opened = this.opener.open(this.root);
				ListedDirectory listed = this.opener.listed(opened);
				BufferedReader output = new BufferedReader(
						new InputStreamReader(holder.getInputStream(), StandardCharsets.UTF_8))) {
			assertThat(output.readLine()).isEqualTo("held");
			assertThat(text(entries(listed).get("file"))).isEqualTo("text");
			assertThat(output.readLine()).isEqualTo("given back");
		}
		finally {
			holder.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
		}
	}

	@Test
	void descriptorsAreClosed() throws Exception {
		TestWorkspaces.fifo(this.root.resolve("fifo"));
		long before = descriptors();
		for (int i = 0; i < 50; i++) {
			try (OpenDirectory opened = this.opener.open(this.root);
					ListedDirectory listed = this.opener.listed(opened)) {
				Map<String, ListedEntry> entries = entries(listed);
				assertThat(text(entries.get("file"))).isEqualTo("text");
				entries.get("below").directory().close();
				assertThatIOException().isThrownBy(() -> entries.get("file").directory());
				assertThatIOException().isThrownBy(() -> entries.get("fifo").file());
			}
		}
		assertThat(descriptors()).isLessThan(before + 25);
	}

	private static Map<String, ListedEntry> entries(ListedDirectory directory) {
		Map<String, ListedEntry> entries = new HashMap<>();
		directory.entries().forEachRemaining((entry) -> entries.put(entry.name(), entry));
		return entries;
	}

	private static String text(ListedEntry entry) throws IOException {
		try (SeekableByteChannel channel = entry.file()) {
			ByteBuffer buffer = ByteBuffer.allocate(100);
			channel.read(buffer);
			return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
		}
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

}
