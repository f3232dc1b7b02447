package io.kairo.workspace.local.disk.handle;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.linux.NativeLinux;
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
 * Tests for {@link DirectFiles}.
 */
class DirectFilesTests {

	@TempDir
	Path temp;

	private Path file;

	private DirectFiles files;

	@BeforeEach
	void find() throws IOException {
		assumeThat(NativeLinux.find().problem()).as("system calls").isNull();
		this.files = Objects.requireNonNull(DirectFiles.find());
		this.temp = this.temp.toRealPath();
		this.file = TestWorkspaces.file(this.temp.resolve("a/b/file"), "text of the file");
	}

	@Test
	void attributesAreThoseOfTheJdk() throws Exception {
		Files.setLastModifiedTime(this.file, FileTime.from(Instant.ofEpochSecond(-5, 123_456_789)));
		Files.setPosixFilePermissions(this.file, PosixFilePermissions.fromString("rw-r-x--x"));
		Path link = TestWorkspaces.link(this.temp.resolve("link"), "a/b/file");
		Path fifo = TestWorkspaces.fifo(this.temp.resolve("fifo"));
		for (Path path : List.of(this.file, this.file.getParent(), link, fifo, Path.of("/"), Path.of("/dev/null"),
				Path.of("/proc/self/status"))) {
			PosixFileAttributes expected = Files.readAttributes(path, PosixFileAttributes.class,
					LinkOption.NOFOLLOW_LINKS);
			PosixFileAttributes actual = this.files.attributes(path);
			assertThat(facts(actual)).as(path.toString()).isEqualTo(facts(expected));
		}
	}

	private static List<Object> facts(PosixFileAttributes attributes) {
		return List.of(attributes.permissions(), attributes.owner(), attributes.group(), attributes.isRegularFile(),
				attributes.isDirectory(), attributes.isSymbolicLink(), attributes.isOther(), attributes.size(),
				attributes.fileKey().toString(),
				attributes.isRegularFile() && attributes.size() > 0 ? attributes.lastModifiedTime() : "varies");
	}

	@Test
	void linkIsNotFollowedAnywhere() throws IOException {
		Path last = TestWorkspaces.link(this.temp.resolve("last"), this.file);
		TestWorkspaces.link(this.temp.resolve("middle"), "a");
		assertThatIOException().isThrownBy(() -> this.files.open(last).close());
		assertThatIOException().isThrownBy(() -> this.files.open(this.temp.resolve("middle/b/file")).close());
		assertThatIOException().isThrownBy(() -> this.files.open(Path.of("/proc/self/cwd/pom.xml")).close());
	}

	@Test
	@Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void fifoDoesNotBlockAndCannotBeRead() throws Exception {
		Path fifo = TestWorkspaces.fifo(this.temp.resolve("fifo"));
		try (DirectFile opened = this.files.open(fifo)) {
			assertThatIOException().isThrownBy(() -> opened.read(ByteBuffer.allocate(1)));
		}
	}

	@Test
	void readsFromPositionToEnd() throws IOException {
		try (DirectFile opened = this.files.open(this.file)) {
			ByteBuffer buffer = ByteBuffer.allocate(8);
			assertThat(opened.position(12).read(buffer)).isEqualTo(4);
			assertThat(new String(buffer.array(), 0, 4, StandardCharsets.US_ASCII)).isEqualTo("file");
			assertThat(opened.position()).isEqualTo(16);
			assertThat(opened.read(buffer)).isEqualTo(-1);
			assertThat(opened.size()).isEqualTo(16);
		}
	}

	@Test
	void descriptorsAreClosed() throws IOException {
		long before = descriptors();
		for (int i = 0; i < 50; i++) {
			DirectFile opened = this.files.open(this.file);
			opened.close();
			opened.close();
			assertThatExceptionOfType(ClosedChannelException.class)
				.isThrownBy(() -> opened.read(ByteBuffer.allocate(1)));
			assertThatIOException().isThrownBy(() -> this.files.open(this.temp.resolve("missing")));
		}
		assertThat(descriptors()).isLessThan(before + 25);
	}

	@Test
	void moduleForSystemCallsIsNotRequired() throws Exception {
		List<URL> classPath = new ArrayList<>();
		for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
			if (!entry.contains("linux-native")) {
				classPath.add(Path.of(entry).toUri().toURL());
			}
		}
		try (URLClassLoader without = new URLClassLoader(classPath.toArray(URL[]::new),
				ClassLoader.getPlatformClassLoader())) {
			assertThat(without.loadClass(DirectFiles.class.getName()).getMethod("problem").invoke(null))
				.isEqualTo("kairo-linux-native is not on the class path: add it");
		}
	}

	private static long descriptors() throws IOException {
		try (var open = Files.list(Path.of("/proc/self/fd"))) {
			return open.count();
		}
	}

}
