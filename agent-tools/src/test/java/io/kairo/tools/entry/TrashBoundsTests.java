package io.kairo.tools.entry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.trash.Trash;
import io.kairo.tools.trash.TrashChange;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import io.kairo.workspace.quota.QuotaWorkspaceFiles;
import io.kairo.workspace.quota.WorkspaceQuota;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the bounds of the trash, and for stores and batches beside single deletions
 * on disk.
 */
class TrashBoundsTests extends TrashFixture {

	@Nested
	class Bounds {

		@Test
		void oldestDeletionsLeaveFullTrash() throws IOException {
			for (String name : List.of("a", "b", "c")) {
				put(name, 400);
				delete(name);
			}
			assertThat(listed()).containsExactly("c", "b");
			assertThat(kept()).isEqualTo(2);
		}

		@Test
		void deletionsFromBeforeTheClockWasSetBackGiveWayAndExpire() throws IOException {
			put("ahead", 400);
			delete("ahead");
			put("readme.md", 400);
			delete("readme.md");
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.minus(Duration.ofDays(365));
			assertThat(listed()).containsExactly("readme.md", "ahead");
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.minus(Duration.ofDays(365));
			put("a", 400);
			delete("a");
			assertThat(listed()).containsExactly("a", "readme.md");
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.plus(Duration.ofMinutes(61));
			TrashBoundsTests.this.store.sweep();
			assertThat(kept()).isZero();
		}

		@Test
		void deletionsByAClockThatIsAheadByLessThanAMinuteKeepTheirTime() throws IOException {
			assertThat(listedAfterTheClockWasSetBack(Duration.ofMinutes(1))).containsExactly("ahead", "a");
		}

		@Test
		void deletionsByAClockThatIsAheadByMoreThanAMinuteGetTheCurrentTime() throws IOException {
			assertThat(listedAfterTheClockWasSetBack(Duration.ofMinutes(1).plusMillis(50))).containsExactly("a",
					"ahead");
		}

		/** The clock goes on by a millisecond with each use. */
		private List<String> listedAfterTheClockWasSetBack(Duration difference) throws IOException {
			put("ahead", 1);
			delete("ahead");
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.minus(difference);
			put("a", 1);
			delete("a");
			return listed();
		}

		@Test
		void entryLargerThanTrashIsRefused() throws IOException {
			delete("readme.md");
			put("big/file", 1001);
			assertFailed(call("Delete", "path", "big", "recursive", true), "too_large", "permanent set to true");
			assertThat(TrashBoundsTests.this.root.resolve("big/file")).exists();
			for (int i = 0; i < 21; i++) {
				put("many/" + i, 0);
			}
			assertFailed(call("Delete", "path", "many", "recursive", true), "too_large", "permanent set to true");
			assertThat(listed()).containsExactly("readme.md");
		}

		@Test
		void tenantIsBoundedOverItsWorkspaces() throws IOException {
			for (int i = 0; i < 3; i++) {
				Path other = Files.createDirectory(TrashBoundsTests.this.directory.resolve("root" + i));
				TrashBoundsTests.this.root = other;
				use(LocalFilesOptions.DEFAULTS);
				put("file", 700);
				delete("file");
			}
			assertThat(kept()).isEqualTo(2);
			assertThat(listed()).containsExactly("file");
		}

		@Test
		void trashStaysWithinQuota() throws IOException {
			use(new QuotaWorkspaceFiles(TrashBoundsTests.this.context.files(), new WorkspaceQuota(900, 100),
					Duration.ZERO, Clock.systemUTC()), TenantContext.SINGLE);
			put("a", 400);
			delete("a");
			put("b", 600);
			assertThat(delete("b").data()).containsEntry("dropped", 1);
			assertThat(listed()).containsExactly("b");
			put("c", 800);
			assertFailed(call("Undelete", "path", "b"), "quota_exceeded", "");
			assertThat(listed()).containsExactly("b");
		}

		@Test
		void trashThatCannotBeWrittenIsReported() throws IOException {
			Files.createDirectories(TrashBoundsTests.this.state.getParent());
			Files.writeString(TrashBoundsTests.this.state, "no directory");
			assertFailed(call("Delete", "path", "readme.md"), "write_failed", "permanent set to true");
			assertThat(TrashBoundsTests.this.root.resolve("readme.md")).exists();
		}

		@Test
		void expiredDeletionsAreSwept() throws IOException {
			delete("readme.md");
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.plus(Duration.ofMinutes(59));
			TrashBoundsTests.this.store.sweep();
			assertThat(listed()).hasSize(1);
			TrashBoundsTests.this.now = TrashBoundsTests.this.now.plus(Duration.ofMinutes(2));
			TrashBoundsTests.this.store.sweep();
			assertThat(listed()).isEmpty();
			TrashBoundsTests.this.store.sweep();
			assertThat(TrashBoundsTests.this.state).isEmptyDirectory();
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void commandInADeletedDirectoryDoesNotExceedTheBounds() throws Exception {
			put("old", 400);
			delete("old");
			put("dir/file", 100);
			Process command = new ProcessBuilder("sh", "-c",
					"while read name; do head -c 700 /dev/zero > $name && echo written || echo refused; done")
				.directory(TrashBoundsTests.this.root.resolve("dir").toFile())
				.start();
			try (BufferedReader output = command.inputReader(); Writer input = command.outputWriter()) {
				delete("dir");
				assertThat(write("first", input, output)).isEqualTo("written");
				assertThat(listed()).containsExactly("dir", "old");
				TrashBoundsTests.this.store.sweep();
				assertThat(listed()).as("800 of 1,000 bytes").containsExactly("dir");
				assertThat(call("Undelete", "path", "dir").data()).containsEntry("bytes", 800L);
				delete("dir");
				assertThat(write("second", input, output)).isEqualTo("written");
				TrashBoundsTests.this.store.sweep();
				assertThat(listed()).isEmpty();
				assertThat(write("third", input, output)).isEqualTo("refused");
			}
			finally {
				command.destroyForcibly();
			}
		}

		private static String write(String name, Writer input, BufferedReader output) throws IOException {
			input.write(name + "\n");
			input.flush();
			return output.readLine();
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void readOnlyDirectoriesLeaveTrash() throws IOException {
			put("locked/in/file", 900);
			Files.setPosixFilePermissions(TrashBoundsTests.this.root.resolve("locked/in"),
					PosixFilePermissions.fromString("r-xr-xr-x"));
			delete("locked");
			put("next", 900);
			delete("next");
			assertThat(listed()).containsExactly("next");
			assertThat(kept()).isEqualTo(1);
		}

	}

	@Nested
	class Memory {

		private InMemoryWorkspaceFiles files;

		@BeforeEach
		void fillMemory() {
			this.files = new InMemoryWorkspaceFiles().seed("src/Main.java", "main").seed("src/deep/x", "other");
			useMemory(this.files);
		}

		@Test
		void treeInMemoryIsKeptAndRestored() {
			assertThat(delete("src").text()).contains("(2 files, 9 bytes)");
			assertThat(this.files.snapshot()).isEmpty();
			assertThat(this.files.info(this.files.resolve("src", this.files.root())).isOk()).isFalse();
			assertThat(call("Undelete", "path", "src").error()).isNull();
			assertThat(this.files.snapshot()).containsEntry("src/Main.java", "main")
				.containsEntry("src/deep/x", "other");
			assertThat(listed()).isEmpty();
		}

		@Test
		void nothingInMemoryIsOverwritten() {
			delete("src/Main.java");
			this.files.seed("src/Main.java", "new");
			assertFailed(call("Undelete", "path", "src/Main.java"), "file_exists", "Main.java");
			delete("src");
			this.files.seed("src/new", "new");
			assertFailed(call("Undelete", "path", "src"), "file_exists", "src");
			assertThat(this.files.snapshot()).containsOnlyKeys("src/new");
		}

		@Test
		void refusedDeletionInMemoryKeepsNothing() throws IOException {
			InMemoryWorkspaceFiles guarded = new InMemoryWorkspaceFiles(
					new WritePolicy(false, List.of("src/deep"), List.of()))
				.seed("src/Main.java", "main")
				.seed("src/deep/x", "other");
			useMemory(guarded);
			assertFailed(call("Delete", "path", "src", "recursive", true), "protected_path", "src");
			assertThat(guarded.snapshot()).hasSize(2);
			assertThat(kept()).isZero();
		}

	}

	@Nested
	class Batches {

		@Test
		void deletionsOfBatchAreKeptOrUndoneWithIt() throws IOException {
			WorkspaceFiles files = TrashBoundsTests.this.context.files();
			Trash trash = TrashBoundsTests.this.store.open("default", TrashBoundsTests.this.context.currentWorkspace(),
					files);
			TrashChange failing = trash.begin(() -> false);
			WorkspaceChange deletion = failing
				.delete(files.resolve("readme.md", files.root()), WorkspaceChange.Depth.SINGLE, null)
				.value();
			assertThat(failing.apply(new WorkspaceChange.Batch(List.of(deletion, new WorkspaceChange.Move(
					files.resolve("missing", files.root()), files.resolve("x", files.root())))))
				.isOk()).isFalse();
			assertThat(TrashBoundsTests.this.root.resolve("readme.md")).hasContent("about\n");
			assertThat(trash.entries()).isEmpty();
			TrashChange change = trash.begin(() -> false);
			WorkspaceChange again = change
				.delete(files.resolve("readme.md", files.root()), WorkspaceChange.Depth.SINGLE, null)
				.value();
			assertThat(change.apply(new WorkspaceChange.Batch(List.of(again, new WorkspaceChange.Write(
					files.resolve("new.md", files.root()), "x".getBytes(StandardCharsets.UTF_8)))))
				.isOk()).isTrue();
			assertThat(trash.entries()).singleElement()
				.satisfies((kept) -> assertThat(trash.restore(kept).isOk()).isTrue());
			assertThat(TrashBoundsTests.this.root.resolve("readme.md")).hasContent("about\n");
		}

	}

}
