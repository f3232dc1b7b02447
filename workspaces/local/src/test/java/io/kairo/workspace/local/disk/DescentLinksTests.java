package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link Descent} where there are links.
 */
@ParameterizedClass
@EnumSource
class DescentLinksTests extends DescentFixture {

	DescentLinksTests(OpenedBy openedBy) {
		super(openedBy);
	}

	@Test
	void linkToFileInsideIsFollowed() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), "a/b/file");
		TestWorkspaces.link(this.root.resolve("a/b/up"), "../../a/b/file");
		TestWorkspaces.link(this.root.resolve("absolute"), this.root.resolve("a/b/file"));
		for (String link : new String[] { "link", "a/b/up", "absolute" }) {
			assertThat(read(link)).isEqualTo("inside");
			FileInfo info = this.files.info(path(link)).value();
			assertThat(info.type()).isEqualTo(FileType.FILE);
			assertThat(info.path()).isEqualTo(path(link));
		}
	}

	@Test
	void linkToDirectoryInsideIsFollowed() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), "a/./b/");
		TestWorkspaces.link(this.root.resolve("self"), ".");
		assertThat(read("link/file")).isEqualTo("inside");
		assertThat(read("self/self/link/file")).isEqualTo("inside");
		assertThat(this.files.list(path("link"), 1).value().entries()).singleElement()
			.satisfies((entry) -> assertThat(entry.path()).isEqualTo(path("link/file")));
		assertThat(this.files.info(path("self")).value().type()).isEqualTo(FileType.DIRECTORY);
	}

	@Test
	void parentsInLinkTextAreThoseOfTheRealDirectory() throws IOException {
		TestWorkspaces.file(this.root.resolve("a/sibling"), "real sibling");
		TestWorkspaces.file(this.root.resolve("sibling"), "sibling by the text");
		TestWorkspaces.link(this.root.resolve("deep"), "a/b");
		TestWorkspaces.link(this.root.resolve("link"), "deep/../sibling");
		assertThat(read("link")).isEqualTo(Files.readString(this.root.resolve("link"))).isEqualTo("real sibling");
	}

	@Test
	void linkToAnotherRootIsFollowed() throws IOException {
		TestWorkspaces.link(this.root.resolve("absolute"), this.added.resolve("dir"));
		TestWorkspaces.link(this.root.resolve("relative"), "../added/dir");
		TestWorkspaces.link(this.added.resolve("dir/back"), "../../root/a/b/file");
		assertThat(read("absolute/file")).isEqualTo("added");
		assertThat(read("relative/file")).isEqualTo("added");
		assertThat(read("relative/back")).isEqualTo("inside");
	}

	@Test
	void linkToAnotherRootIsRefusedIfOnlyThePrimaryRootHasAName() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), this.added.resolve("dir"));
		this.files = open(PathPolicy.LOGICAL, this.root, this.added);
		assertFails("link/file", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Test
	void linksToTargetsOutsideAreRefused() throws IOException {
		TestWorkspaces.link(this.root.resolve("file"), this.outside.resolve("secret"));
		TestWorkspaces.link(this.root.resolve("directory"), this.outside);
		TestWorkspaces.link(this.root.resolve("relative"), "../outside/secret");
		TestWorkspaces.link(this.root.resolve("above"), "..");
		TestWorkspaces.link(this.root.resolve("far-above"), "../../../../../../etc/passwd");
		TestWorkspaces.link(this.root.resolve("top"), "/");
		for (String path : new String[] { "file", "directory", "directory/secret", "directory/missing", "relative",
				"above", "above/outside/secret", "above/root/a/b/file", "far-above", "top", "top/etc/passwd" }) {
			assertFails(path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}
	}

	@Test
	void danglingLinksToTargetsOutsideAreRefusedLikeOthers() throws IOException {
		TestWorkspaces.link(this.root.resolve("absolute"), this.outside.resolve("missing"));
		TestWorkspaces.link(this.root.resolve("relative"), "../nowhere/missing");
		TestWorkspaces.link(this.root.resolve("alike"), this.root + "ish/missing");
		assertFails("absolute", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		assertFails("relative", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		assertFails("relative/x", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		TestWorkspaces.link(this.root.resolve("roundabout"), this.temp.resolve("nowhere/../root/a/b/file"));
		assertFails("alike", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		assertFails("roundabout", WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
	}

	@Test
	void danglingLinksInsideAreNotFound() throws IOException {
		TestWorkspaces.link(this.root.resolve("absolute"), this.root.resolve("missing"));
		TestWorkspaces.link(this.root.resolve("relative"), "a/missing");
		assertFails("absolute", WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFails("relative", WorkspaceErrorCode.FILE_NOT_FOUND);
		assertFails("relative/x", WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void linksThroughAnotherSpellingOfTheRootAreFollowed() throws IOException {
		Path alias = TestWorkspaces.link(this.temp.resolve("alias"), this.root);
		TestWorkspaces.link(this.root.resolve("link"), alias.resolve("a/b/file"));
		TestWorkspaces.link(this.root.resolve("missing"), alias.resolve("a/b/missing"));
		TestWorkspaces.link(this.root.resolve("roundabout"), this.outside + "/../root/a/b/file");
		TestWorkspaces.link(this.root.resolve("proc"), "/proc/self/root" + this.root + "/a/b/file");
		assertThat(read("link")).isEqualTo("inside");
		assertThat(read("roundabout")).isEqualTo("inside");
		assertThat(read("proc")).isEqualTo("inside");
		assertFails("missing", WorkspaceErrorCode.FILE_NOT_FOUND);
	}

	@Test
	void linksThroughProcAreRefused() throws IOException {
		TestWorkspaces.link(this.root.resolve("root"), "/proc/self/root");
		TestWorkspaces.link(this.root.resolve("secret"), "/proc/self/root" + this.outside + "/secret");
		TestWorkspaces.link(this.root.resolve("cwd"), "/proc/self/cwd/pom.xml");
		TestWorkspaces.link(this.root.resolve("proc"), "/proc");
		TestWorkspaces.link(this.root.resolve("fd"), "/proc/self/fd/0");
		for (String path : new String[] { "root", "root/etc/passwd", "secret", "cwd", "proc", "proc/self/environ",
				"fd" }) {
			assertFails(path, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
		}
	}

	@Test
	void linksReplacedMeanwhileAreNotFollowed() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), "a/b/file");
		TestWorkspaces.link(this.root.resolve("other"), "a/b/other");
		try (OpenDirectory directory = opened(this.root)) {
			Path name = Path.of("link");
			BasicFileAttributes before = directory.attributes(name);
			assertThat(directory.linkText(name, before)).isEqualTo(Path.of("a/b/file"));
			Files.move(this.root.resolve("other"), this.root.resolve("link"), StandardCopyOption.ATOMIC_MOVE);
			assertThatExceptionOfType(RacedException.class).isThrownBy(() -> directory.linkText(name, before));
		}
	}

	@Test
	void chainsOfLinksAreFollowedUpToALimit() throws IOException {
		TestWorkspaces.file(this.root.resolve("link0"), "end");
		for (int i = 1; i <= Descent.MAX_LINKS + 1; i++) {
			TestWorkspaces.link(this.root.resolve("link" + i), "link" + (i - 1));
		}
		assertThat(read("link" + Descent.MAX_LINKS)).isEqualTo("end");
		assertFails("link" + (Descent.MAX_LINKS + 1), WorkspaceErrorCode.READ_FAILED);
	}

	@Test
	@Timeout(20)
	void loopsOfLinksFail() throws IOException {
		TestWorkspaces.link(this.root.resolve("self-loop"), "self-loop");
		TestWorkspaces.link(this.root.resolve("ping"), "a/pong");
		TestWorkspaces.link(this.root.resolve("a/pong"), this.root.resolve("ping"));
		TestWorkspaces.link(this.root.resolve("growing"), "growing/x");
		assertFails("self-loop", WorkspaceErrorCode.READ_FAILED);
		assertFails("ping/x", WorkspaceErrorCode.READ_FAILED);
		assertFails("growing", WorkspaceErrorCode.READ_FAILED);
	}

	@Test
	void linksToAnyTargetAreFollowedUnderHost() throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), this.outside.resolve("secret"));
		this.files = open(PathPolicy.HOST, this.root);
		assertThat(read("link")).isEqualTo(SECRET);
		assertThat(TestWorkspaces.read(this.files, this.outside + "/secret")).isEqualTo(SECRET);
		assertThat(TestWorkspaces.read(this.files, "/proc/self/root/proc/version"))
			.isEqualTo(Files.readString(Path.of("/proc/version")));
	}

}
