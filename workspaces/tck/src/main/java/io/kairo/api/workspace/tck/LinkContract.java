package io.kairo.api.workspace.tck;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Symbolic links. A store without support for links has no entries at their paths.
 */
abstract class LinkContract extends ContractPart {

	LinkContract(WorkspaceFilesContract suite) {
		super(suite);
	}

	@BeforeEach
	void createLinks() throws IOException {
		this.files = this.suite.createFiles(new WritePolicy(false, List.of("kb/deep"), List.of()), CONTENT);
		WorkspaceFilesContract.LinkMaker maker = this.suite.links();
		if (maker != null) {
			maker.link(this.files, "file-link", "a.txt");
			maker.link(this.files, "way", "kb");
			maker.link(this.files, "out", "..");
			maker.link(this.files, "dangling", "nowhere");
		}
	}

	private boolean hasLinks() {
		return this.suite.links() != null;
	}

	@Test
	void linkWithTargetInsideWorkspaceIsFollowed() {
		if (hasLinks()) {
			assertThat(text("file-link")).isEqualTo("alpha");
			assertThat(text("way/foo.md")).isEqualTo("foo");
			assertThat(this.files.info(path("way")).value().type()).isEqualTo(FileType.DIRECTORY);
			assertThat(this.files.tryWriteFile("way/new.md", "x").isOk()).isTrue();
			assertThat(text("kb/new.md")).isEqualTo("x");
		}
		else {
			assertFailed(this.files.tryReadFile("file-link"), WorkspaceErrorCode.FILE_NOT_FOUND);
			assertFailed(this.files.tryReadFile("way/foo.md"), WorkspaceErrorCode.FILE_NOT_FOUND);
		}
	}

	@Test
	void followedPathHasNoLinks() {
		assertThat(this.files.followed(path("a.txt"), false)).isEqualTo(path("a.txt"));
		assertThat(this.files.followed(path("missing/deep"), false)).isEqualTo(path("missing/deep"));
		if (hasLinks()) {
			assertThat(this.files.followed(path("way/foo.md"), false)).isEqualTo(path("kb/foo.md"));
			assertThat(this.files.followed(path("way/new/deep"), true)).isEqualTo(path("kb/new/deep"));
			assertThat(this.files.followed(path("file-link"), false)).isEqualTo(path("a.txt"));
			assertThat(this.files.followed(path("file-link"), true)).isEqualTo(path("file-link"));
			assertThat(this.files.followed(path("out/secret"), false)).isEqualTo(path("out/secret"));
		}
	}

	@Test
	void walkTellsWhereLinksLead() {
		Map<String, String> links = new ConcurrentHashMap<>();
		this.files.walk(root(), new WorkspaceVisitor() {

			@Override
			public Next file(Entry file) {
				return Next.CONTINUE;
			}

			@Override
			public void other(Entry other) throws IOException {
				assertThat(other.type()).isEqualTo(FileType.LINK);
				links.put(other.path().relative(), String.valueOf(other.target()));
			}

		}).value();
		assertThat(links).isEqualTo(
				hasLinks() ? Map.of("file-link", "a.txt", "way", "kb", "out", "..", "dangling", "nowhere") : Map.of());
	}

	@Test
	void linkWithTargetOutsideWorkspaceIsRefused() {
		WorkspaceErrorCode code = hasLinks() ? WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED
				: WorkspaceErrorCode.FILE_NOT_FOUND;
		assertFailed(this.files.read(path("out/secret"), 0, 1), code);
		assertFailed(this.files.info(path("out")), code);
		assertFailed(this.files.list(path("out"), 1), code);
		assertFailed(this.files.walk(path("out"), (file) -> WorkspaceVisitor.Next.CONTINUE), code);
		assertFailed(this.files.apply(new WorkspaceChange.Delete(path("out/secret"))), code);
		assertFailed(this.files.apply(new WorkspaceChange.Copy(path("out/secret"), path("in"))), code);
		if (hasLinks()) {
			assertFailed(this.files.apply(Changes.write(path("out/secret"), "x")), code);
			assertFailed(this.files.apply(new WorkspaceChange.CreateDirectory(path("out/dir"))), code);
			assertFailed(this.files.apply(new WorkspaceChange.Move(path("a.txt"), path("out/a.txt"))), code);
		}
	}

	@Test
	void linksAreListedAndNotFollowed() {
		List<FileInfo> links = this.files.list(root(), 9)
			.value()
			.entries()
			.stream()
			.filter((entry) -> entry.type() == FileType.LINK)
			.toList();
		assertThat(links).extracting((entry) -> entry.path().relative())
			.containsExactlyElementsOf(hasLinks() ? List.of("dangling", "file-link", "out", "way") : List.of());
		assertThat(state()).hasSize(6 + links.size());
	}

	@Test
	void walkCountsLinksWithoutFollowingThem() {
		WalkReport report = this.files.walk(root(), (file) -> WorkspaceVisitor.Next.CONTINUE).value();
		assertThat(report.links()).isEqualTo(hasLinks() ? 4 : 0);
		assertThat(report.files()).isEqualTo(CONTENT.size());
	}

	@Test
	void deleteRemovesLinkAndKeepsTarget() {
		for (String link : List.of("file-link", "way", "out", "dangling")) {
			if (hasLinks()) {
				assertThat(this.files.apply(Changes.recursive(path(link))).isOk()).as(link).isTrue();
			}
			else {
				assertFailed(this.files.apply(Changes.recursive(path(link))), WorkspaceErrorCode.FILE_NOT_FOUND);
			}
		}
		assertThat(state()).hasSize(6);
		assertThat(text("a.txt")).isEqualTo("alpha");
		assertThat(text("kb/foo.md")).isEqualTo("foo");
	}

	@Test
	void protectionCannotBeBypassedByLink() {
		boolean written = this.files.tryWriteFile("way/deep/bar.md", "x").isOk();
		assertThat(written).as("write succeeds only in a store without links").isEqualTo(!hasLinks());
		assertThat(text("kb/deep/bar.md")).isEqualTo("bar");
	}

}
