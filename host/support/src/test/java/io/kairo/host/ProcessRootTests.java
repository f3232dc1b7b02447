package io.kairo.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ProcessRoot}.
 */
@EnabledOnOs(OS.LINUX)
class ProcessRootTests {

	private static final ProcessRoot OWN = new ProcessRoot(ProcessHandle.current().pid());

	@TempDir
	Path temp;

	@Test
	void otherPathsLeadThroughNoRoot() {
		for (String path : new String[] { "/proc", "/proc/1", "/proc/1/rooted", "/proc/self/root", "/x/proc/1/root",
				"proc/1/root" }) {
			assertThat(ProcessRoot.of(Path.of(path))).as(path).isNull();
			assertThat(ProcessRoot.withoutRoot(Path.of(path))).isEqualTo(Path.of(path));
		}
	}

	@Test
	void pathsAreThoseOfTheProcess() {
		assertThat(ProcessRoot.of(Path.of("/proc/12/root"))).isEqualTo(new ProcessRoot(12));
		assertThat(ProcessRoot.of(Path.of("/proc/12/root/a\nb"))).isEqualTo(new ProcessRoot(12));
		assertThat(ProcessRoot.withoutRoot(Path.of("/proc/12/root"))).isEqualTo(Path.of("/"));
		assertThat(ProcessRoot.withoutRoot(Path.of("/proc/12/root/a/b"))).isEqualTo(Path.of("/a/b"));
		assertThat(new ProcessRoot(12).resolve(Path.of("/a/b"))).isEqualTo(Path.of("/proc/12/root/a/b"));
	}

	@Test
	void realPathKeepsTheRootAndRefusesLinks() throws IOException {
		Path real = this.temp.toRealPath();
		Path directory = Files.createDirectory(real.resolve("directory"));
		Path link = Files.createSymbolicLink(real.resolve("link"), directory);
		assertThat(ProcessRoot.realPath(link)).isEqualTo(directory);
		assertThat(ProcessRoot.realPath(OWN.resolve(directory))).isEqualTo(OWN.resolve(directory));
		for (Path refused : new Path[] { link, link.resolve("."), real.resolve("missing") }) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> ProcessRoot.realPath(OWN.resolve(refused)));
		}
	}

}
