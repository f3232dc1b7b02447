package io.kairo.sandbox.docker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.copy.CopiedEntry;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.copy.RootUpdate;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link RootCopy} and {@link RootUpdate}, by archives.
 */
@EnabledOnOs(OS.LINUX)
class RootUpdateTests {

	private static final HostUser USER = Objects.requireNonNull(HostUser.current());

	private static final Path TARGET = Path.of("/srv/workspace");

	private CopyRemarks remarks = new CopyRemarks();

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final TarArchiveOutputStream archive = new TarArchiveOutputStream(this.bytes,
			StandardCharsets.UTF_8.name());

	private final MountPlan plan = new MountPlan();

	@TempDir
	Path directory;

	private Path workspace = Path.of("");

	private Path outside = Path.of("");

	private Roots roots = new Roots(List.of());

	@BeforeEach
	void createWorkspace() throws IOException {
		Path real = this.directory.toRealPath();
		this.workspace = Files.createDirectory(real.resolve("workspace"));
		this.outside = Files.createDirectory(real.resolve("outside"));
		Files.writeString(this.outside.resolve("secret"), "secret");
		Files.createDirectory(this.workspace.resolve("src"));
		Files.writeString(this.workspace.resolve("src/Main.java"), "class Main");
		Files.writeString(this.workspace.resolve("kept"), "kept");
		this.roots = new Roots(List.of(new Root(this.workspace, this.workspace, TARGET, true)));
		this.archive.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
		this.archive.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
	}

	private RootCopy copy() throws IOException {
		RootCopy copy = new RootCopy(this.roots.all().get(0), this.roots, this.plan);
		try (TarArchiveOutputStream written = new TarArchiveOutputStream(new ByteArrayOutputStream())) {
			RootArchive.write(copy, written, new CopyBound(1 << 20));
		}
		return copy;
	}

	private void file(String name, String content) throws IOException {
		file(name, content, 0644);
	}

	private void file(String name, String content, int mode) throws IOException {
		byte[] data = content.getBytes(StandardCharsets.UTF_8);
		TarArchiveEntry entry = new TarArchiveEntry("workspace/" + name);
		entry.setSize(data.length);
		entry.setMode(mode);
		this.archive.putArchiveEntry(entry);
		this.archive.write(data);
		this.archive.closeArchiveEntry();
	}

	private void other(String name, byte type, String link) throws IOException {
		TarArchiveEntry entry = new TarArchiveEntry(name, type, true);
		entry.setLinkName(link);
		entry.setMode(0755);
		this.archive.putArchiveEntry(entry);
		this.archive.closeArchiveEntry();
	}

	private void directory(String name) throws IOException {
		other("workspace/" + name + "/", TarConstants.LF_DIR, "");
	}

	/**
	 * Adds what the workspace had, as it was.
	 */
	private void unchanged() throws IOException {
		directory("");
		directory("src");
		file("src/Main.java", "class Main");
		file("kept", "kept");
	}

	private void apply(RootCopy copy) throws IOException {
		this.archive.finish();
		apply(copy, this.bytes.toByteArray(), 1 << 20);
	}

	private void apply(RootCopy copy, byte[] content, long maxBytes) throws IOException {
		apply(copy, content, new CopyBound(maxBytes));
	}

	private void apply(RootCopy copy, byte[] content, CopyBound bound) throws IOException {
		try (FileChannel staging = FileChannel.open(this.directory.resolve("staging"), StandardOpenOption.CREATE,
				StandardOpenOption.READ, StandardOpenOption.WRITE)) {
			new ArchiveUpdate(copy, USER, staging, bound, this.remarks).apply(new ByteArrayInputStream(content));
		}
	}

	private void assertUntouched() throws IOException {
		assertThat(this.outside.resolve("secret")).hasContent("secret");
		try (var found = Files.list(this.outside)) {
			assertThat(found).hasSize(1);
		}
		assertThat(this.directory.resolve("escaped")).doesNotExist();
		assertThat(this.workspace.resolve("kept")).hasContent("kept");
		assertThat(this.workspace.resolve("src/Main.java")).hasContent("class Main");
	}

	@Test
	void changesAreApplied() throws IOException {
		RootCopy copy = copy();
		Object kept = Files.getAttribute(this.workspace.resolve("kept"), "unix:ino");
		directory("");
		file("kept", "kept");
		directory("src");
		file("src/Main.java", "class Changed", 0755);
		directory("target/a");
		file("target/a/new", "new");
		other("workspace/link", TarConstants.LF_SYMLINK, "target/a/new");
		other("workspace/second", TarConstants.LF_LINK, "workspace/target/a/new");
		apply(copy);
		// the archive of an engine names each directory
		assertThat(this.remarks.lines()).hasSize(3).allMatch((remark) -> remark.contains("was not copied back"));
		this.remarks = new CopyRemarks();
		assertThat(this.workspace.resolve("src/Main.java")).hasContent("class Changed").isExecutable();
		assertThat(Files.getAttribute(this.workspace.resolve("kept"), "unix:ino")).isEqualTo(kept);
	}

	@Test
	void newFilesDirectoriesAndLinksAreCreated() throws IOException {
		RootCopy copy = copy();
		unchanged();
		directory("target");
		directory("target/a");
		file("target/a/new", "new");
		other("workspace/link", TarConstants.LF_SYMLINK, "target/a/new");
		other("workspace/second", TarConstants.LF_LINK, "workspace/target/a/new");
		apply(copy);
		assertThat(this.remarks.lines()).isEmpty();
		assertThat(this.workspace.resolve("target/a/new")).hasContent("new");
		assertThat(Files.readSymbolicLink(this.workspace.resolve("link"))).hasToString("target/a/new");
		assertThat(this.workspace.resolve("second")).hasContent("new");
	}

	@Test
	void whatTheArchiveDoesNotHaveIsDeleted() throws IOException {
		RootCopy copy = copy();
		directory("");
		file("kept", "kept");
		apply(copy);
		assertThat(this.workspace.resolve("src")).doesNotExist();
		assertThat(this.workspace.resolve("kept")).hasContent("kept");
		assertThat(this.remarks.lines()).isEmpty();
	}

	@Test
	void fileTakesThePlaceOfADirectoryAndTheOtherWayRound() throws IOException {
		RootCopy copy = copy();
		directory("");
		directory("kept");
		file("kept/inside", "inside");
		file("src", "source");
		apply(copy);
		assertThat(this.workspace.resolve("kept/inside")).hasContent("inside");
		assertThat(this.workspace.resolve("src")).hasContent("source");
		assertThat(this.remarks.lines()).isEmpty();
	}

	@Test
	void whatWasChangedMeanwhileStays() throws IOException {
		RootCopy copy = copy();
		Files.writeString(this.workspace.resolve("kept"), "changed by another one");
		Files.writeString(this.workspace.resolve("src/Main.java"), "changed as well");
		Files.writeString(this.workspace.resolve("added"), "added by another one");
		directory("");
		file("kept", "changed by the command");
		file("added", "added by the command");
		apply(copy);
		assertThat(this.workspace.resolve("kept")).hasContent("changed by another one");
		assertThat(this.workspace.resolve("src/Main.java")).hasContent("changed as well");
		assertThat(this.workspace.resolve("added")).hasContent("added by another one");
		assertThat(this.remarks.lines()).containsExactlyInAnyOrder(
				"kept was not copied back: it was changed in the meantime",
				"added was not copied back: it was changed in the meantime",
				"src/Main.java was not copied back: it was changed in the meantime",
				"src was not copied back: something was added to this directory in the meantime");
	}

	@Test
	void whatWasDeletedMeanwhileStaysDeleted() throws IOException {
		RootCopy copy = copy();
		Files.delete(this.workspace.resolve("kept"));
		directory("");
		directory("src");
		file("src/Main.java", "class Main");
		file("kept", "changed by the command");
		apply(copy);
		assertThat(this.workspace.resolve("kept")).doesNotExist();
		assertThat(this.remarks.lines()).containsExactly("kept was not copied back: it was changed in the meantime");
	}

	@Test
	void protectedPathsStayAsTheyAre() throws IOException {
		Files.createDirectories(this.workspace.resolve(".git/hooks"));
		Files.writeString(this.workspace.resolve(".git/hooks/kept"), "kept");
		Files.writeString(this.workspace.resolve(".git/HEAD"), "head");
		this.plan.add(MountPlan.Kind.READ_ONLY, this.workspace.resolve(".git/hooks"), TARGET.resolve(".git/hooks"));
		RootCopy copy = copy();
		unchanged();
		directory(".git");
		file(".git/HEAD", "changed");
		directory(".git/hooks");
		file(".git/hooks/kept", "evil");
		file(".git/hooks/pre-commit", "evil");
		apply(copy);
		assertThat(this.workspace.resolve(".git/hooks/kept")).hasContent("kept");
		assertThat(this.workspace.resolve(".git/hooks/pre-commit")).doesNotExist();
		assertThat(this.workspace.resolve(".git/HEAD")).hasContent("changed");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void directoryWithSomethingProtectedStays(boolean replaced) throws IOException {
		Files.createDirectories(this.workspace.resolve(".git/hooks"));
		Files.writeString(this.workspace.resolve(".git/HEAD"), "head");
		this.plan.add(MountPlan.Kind.READ_ONLY, this.workspace.resolve(".git/hooks"), TARGET.resolve(".git/hooks"));
		RootCopy copy = copy();
		unchanged();
		if (replaced) {
			other("workspace/.git", TarConstants.LF_SYMLINK, this.outside.toString());
		}
		apply(copy);
		assertThat(this.workspace.resolve(".git/HEAD")).hasContent("head");
		assertThat(this.workspace.resolve(".git")).isDirectory();
		assertThat(this.workspace.resolve(".git/hooks")).isDirectory();
		assertThat(this.remarks.lines()).contains(".git was not copied back: something in this directory is protected");
	}

	@Test
	void protectedFilesAreCopiedWithoutWritePermissionsAndHiddenOnesNotAtAll() throws IOException {
		Files.createDirectories(this.workspace.resolve("hidden/inside"));
		Files.setPosixFilePermissions(this.workspace.resolve("kept"), PosixFilePermissions.fromString("rwx------"));
		this.plan.add(MountPlan.Kind.READ_ONLY, this.workspace.resolve("kept"), TARGET.resolve("kept"));
		this.plan.add(MountPlan.Kind.HIDDEN, this.workspace.resolve("hidden"), TARGET.resolve("hidden"));
		RootCopy copy = new RootCopy(this.roots.all().get(0), this.roots, this.plan);
		RootArchive.write(copy, this.archive, new CopyBound(1 << 20));
		this.archive.finish();
		List<String> found = new ArrayList<>();
		TarArchiveInputStream entries = new TarArchiveInputStream(new ByteArrayInputStream(this.bytes.toByteArray()));
		for (TarArchiveEntry each = entries.getNextEntry(); each != null; each = entries.getNextEntry()) {
			if (each.getLongUserId() == 0 && each.getName().matches(".*(kept|hidden).*")) {
				found.add(each.getName() + " " + Integer.toOctalString(each.getMode() & 0777));
			}
		}
		assertThat(found).containsExactlyInAnyOrder("srv/workspace/kept 555", "srv/workspace/hidden/ 555");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "workspace/../escaped", "../escaped", "/tmp/escaped", "workspace/./kept", "workspace/src/.." })
	void pathThatLeadsElsewhereIsRefused(String name) throws IOException {
		RootCopy copy = copy();
		other(name, TarConstants.LF_DIR, "");
		assertThatIOException().isThrownBy(() -> apply(copy)).withMessageContaining("the archive has the path");
		assertUntouched();
	}

	@Test
	void linkIsNotFollowed() throws IOException {
		RootCopy copy = copy();
		other("workspace/link", TarConstants.LF_SYMLINK, this.outside.toString());
		file("link/secret", "stolen");
		file("link/planted", "planted");
		unchanged();
		apply(copy);
		assertUntouched();
		assertThat(this.remarks.lines()).hasSize(2);
	}

	@Test
	void linkInTheDirectoryIsNotFollowed() throws IOException {
		Files.createSymbolicLink(this.workspace.resolve("link"), this.outside);
		RootCopy copy = copy();
		unchanged();
		directory("link");
		file("link/secret", "stolen");
		apply(copy);
		assertUntouched();
		assertThat(this.workspace.resolve("link")).isDirectory().hasFileName("link");
		assertThat(Files.isSymbolicLink(this.workspace.resolve("link"))).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "workspace/../outside/secret", "/etc/passwd", "workspace/missing", "workspace/src" })
	void hardLinkToSomethingElseIsRefused(String target) throws IOException {
		RootCopy copy = copy();
		unchanged();
		other("workspace/stolen", TarConstants.LF_LINK, target);
		assertThatIOException().isThrownBy(() -> apply(copy));
		assertThat(this.workspace.resolve("stolen")).doesNotExist();
		assertUntouched();
	}

	@Test
	void hardLinkToSymbolicLinkIsAnotherLink() throws IOException {
		RootCopy copy = copy();
		unchanged();
		other("workspace/a", TarConstants.LF_SYMLINK, "kept");
		other("workspace/b", TarConstants.LF_LINK, "workspace/a");
		apply(copy);
		assertThat(this.remarks.lines()).isEmpty();
		assertThat(Files.readSymbolicLink(this.workspace.resolve("b"))).hasToString("kept");
	}

	@Test
	void hardLinkToWhatIsNotCopiedBackIsLeftOut() throws IOException {
		this.plan.add(MountPlan.Kind.READ_ONLY, this.workspace.resolve("kept"), TARGET.resolve("kept"));
		RootCopy copy = copy();
		unchanged();
		other("workspace/pipe", TarConstants.LF_FIFO, "");
		other("workspace/a", TarConstants.LF_LINK, "workspace/kept");
		other("workspace/b", TarConstants.LF_LINK, "workspace/pipe");
		other("workspace/c", TarConstants.LF_LINK, "workspace/\ufffd");
		file("new", "new");
		apply(copy);
		assertThat(this.workspace.resolve("new")).hasContent("new");
		for (String name : List.of("a", "b", "c")) {
			assertThat(this.workspace.resolve(name)).doesNotExist();
			assertThat(this.remarks.lines()).anyMatch((remark) -> remark.startsWith(name + " was not copied back"));
		}
		assertUntouched();
	}

	@Test
	void hardLinksAreBoundedLikeTheFilesThatTheyBecome() throws IOException {
		RootCopy copy = copy();
		unchanged();
		file("large", "x".repeat(1000));
		other("workspace/a", TarConstants.LF_LINK, "workspace/large");
		other("workspace/b", TarConstants.LF_LINK, "workspace/large");
		this.archive.finish();
		assertThatExceptionOfType(CopyBound.ExceededException.class)
			.isThrownBy(() -> apply(copy, this.bytes.toByteArray(), 2500))
			.withMessage("they have more than 2500 bytes");
	}

	@Test
	void namesAreBounded() throws IOException {
		RootCopy copy = copy();
		CopyBound bound = new CopyBound(1 << 20);
		bound.add(0, (16 << 20) - 1000);
		unchanged();
		other("workspace/link", TarConstants.LF_SYMLINK, "x".repeat(1000));
		this.archive.finish();
		assertThatExceptionOfType(CopyBound.ExceededException.class)
			.isThrownBy(() -> apply(copy, this.bytes.toByteArray(), bound))
			.withMessageContaining("names");
		assertUntouched();
	}

	@Test
	void permissionsThatWereNotChangedStay() throws IOException {
		Files.setPosixFilePermissions(this.workspace.resolve("src"), PosixFilePermissions.fromString("r-xr-xr-x"));
		RootCopy copy = copy();
		directory("");
		TarArchiveEntry closed = new TarArchiveEntry("workspace/src/");
		closed.setMode(0555);
		this.archive.putArchiveEntry(closed);
		this.archive.closeArchiveEntry();
		file("src/Main.java", "class Main");
		file("kept", "kept");
		apply(copy);
		assertThat(Files.getPosixFilePermissions(this.workspace.resolve("src")))
			.isEqualTo(PosixFilePermissions.fromString("r-xr-xr-x"));
		Files.setPosixFilePermissions(this.workspace.resolve("src"), PosixFilePermissions.fromString("rwxr-xr-x"));
	}

	@Test
	void directoryIsTheSameWhateverItsSizeIs() throws IOException {
		CopiedEntry before = CopiedEntry.of(this.workspace);
		CopiedEntry now = new CopiedEntry(before.type(), before.mode(), before.uid(), before.gid(), before.size() + 20,
				before.modified(), before.changed(), before.number(), before.content());
		assertThat(before.isSame(now)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(bytes = { TarConstants.LF_CHR, TarConstants.LF_BLK, TarConstants.LF_FIFO })
	void deviceIsLeftOut(byte type) throws IOException {
		RootCopy copy = copy();
		unchanged();
		other("workspace/device", type, "");
		apply(copy);
		assertThat(this.workspace.resolve("device")).doesNotExist();
		assertThat(this.remarks.lines()).containsExactly(
				"device was not copied back: it is neither a file nor a directory, nor a link to a name in UTF-8");
		assertUntouched();
	}

	@Test
	void privilegesAreLeftOut() throws IOException {
		RootCopy copy = copy();
		unchanged();
		file("planted", "#!/bin/sh", 06755);
		apply(copy);
		assertThat((Integer) Files.getAttribute(this.workspace.resolve("planted"), "unix:mode") & 07777)
			.isEqualTo(0755);
	}

	@Test
	void directoryStaysOpenToItsOwner() throws IOException {
		RootCopy copy = copy();
		directory("");
		TarArchiveEntry closed = new TarArchiveEntry("workspace/src/");
		closed.setMode(0);
		this.archive.putArchiveEntry(closed);
		this.archive.closeArchiveEntry();
		file("src/Main.java", "class Main", 0);
		file("kept", "kept");
		apply(copy);
		assertThat(this.workspace.resolve("src")).isReadable().isExecutable();
		assertThat(this.workspace.resolve("src/Main.java")).hasContent("class Main");
	}

	@Test
	void pathTwiceIsRefused() throws IOException {
		RootCopy copy = copy();
		unchanged();
		file("kept", "second");
		assertThatIOException().isThrownBy(() -> apply(copy)).withMessageContaining("kept twice");
		assertUntouched();
	}

	@Test
	void tooMuchIsRefusedAndNothingIsDeleted() throws IOException {
		RootCopy copy = copy();
		directory("");
		file("large", "x".repeat(2000));
		this.archive.finish();
		assertThatExceptionOfType(CopyBound.ExceededException.class)
			.isThrownBy(() -> apply(copy, this.bytes.toByteArray(), 1999))
			.withMessage("they have more than 1999 bytes");
		assertThat(this.workspace.resolve("large")).doesNotExist();
		assertUntouched();
	}

	@Test
	void sizeThatIsPretendedIsRefusedBeforeItIsRead() throws IOException {
		RootCopy copy = copy();
		TarArchiveEntry bomb = new TarArchiveEntry("workspace/bomb");
		bomb.setSize(1L << 40);
		this.archive.putArchiveEntry(bomb);
		byte[] header = this.bytes.toByteArray();
		assertThatExceptionOfType(CopyBound.ExceededException.class).isThrownBy(() -> apply(copy, header, 1 << 20));
		assertUntouched();
	}

	@ParameterizedTest
	@ValueSource(ints = { 512, 1024, 1536 })
	void archiveWithoutItsEndDeletesNothing(int length) throws IOException {
		RootCopy copy = copy();
		directory("");
		directory("src");
		file("src/Main.java", "class Main");
		file("kept", "kept");
		this.archive.finish();
		byte[] cut = Arrays.copyOf(this.bytes.toByteArray(), length);
		assertThatIOException().isThrownBy(() -> apply(copy, cut, 1 << 20));
		assertUntouched();
	}

	@Test
	void nameThatIsNotUtf8IsLeftOut() throws IOException {
		RootCopy copy = copy();
		unchanged();
		file("a\ufffdb", "x");
		apply(copy);
		assertThat(this.remarks.lines())
			.containsExactly("workspace/a\ufffdb was not copied back: its name is not UTF-8");
	}

	@Test
	void timesOfChangedFilesAreKeptInSeconds() throws IOException {
		RootCopy copy = copy();
		Instant time = Instant.parse("2020-02-02T02:02:02Z");
		directory("");
		directory("src");
		for (String name : List.of("src/Main.java", "kept")) {
			byte[] data = (name.equals("kept") ? "kept" : "class Other").getBytes(StandardCharsets.UTF_8);
			TarArchiveEntry entry = new TarArchiveEntry("workspace/" + name);
			entry.setSize(data.length);
			entry.setLastModifiedTime(FileTime.from(time));
			this.archive.putArchiveEntry(entry);
			this.archive.write(data);
			this.archive.closeArchiveEntry();
		}
		apply(copy);
		assertThat(Files.getLastModifiedTime(this.workspace.resolve("src/Main.java")).toInstant()).isEqualTo(time);
		assertThat(Files.getLastModifiedTime(this.workspace.resolve("kept")).toInstant()).isEqualTo(time);
		assertThat(Files.exists(this.workspace.resolve("kept"), LinkOption.NOFOLLOW_LINKS)).isTrue();
	}

}
