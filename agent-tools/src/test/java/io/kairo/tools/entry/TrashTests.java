package io.kairo.tools.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.memory.InMemoryWorkspaceFiles;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the tools that delete and restore entries.
 */
class TrashTests extends TrashFixture {

	@Nested
	class Deleting {

		@Test
		void deletedFileIsRestoredAsItWas() throws IOException {
			Path file = TrashTests.this.root.resolve("readme.md");
			if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
				Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x--x"));
			}
			Object key = Files.readAttributes(file, "*").get("fileKey");
			ToolResult deleted = delete("./readme.md");
			assertThat(deleted.text())
				.isEqualTo("Deleted 'readme.md' (6 bytes). It is in the trash as " + deleted.data().get("id") + ".");
			assertThat(deleted.data()).containsEntry("outcome", "trashed").containsEntry("files", 1L);
			assertThat(file).doesNotExist();
			ToolResult restored = call("Undelete", "path", "readme.md");
			assertThat(restored.text()).isEqualTo("Restored 'readme.md' (6 bytes).");
			assertThat(file).hasContent("about\n");
			assertThat(Files.readAttributes(file, "*").get("fileKey")).isEqualTo(key);
			assertThat(listed()).isEmpty();
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void directoryIsRestoredWithItsLinks() throws IOException {
			Path outside = Files.writeString(TrashTests.this.directory.resolve("outside"), "secret");
			Files.createSymbolicLink(TrashTests.this.root.resolve("src/link"), outside);
			Files.createSymbolicLink(TrashTests.this.root.resolve("src/up"), Path.of(".."));
			assertThat(delete("src").text()).contains("(2 files, 31 bytes)");
			assertThat(TrashTests.this.root.resolve("src")).doesNotExist();
			assertThat(call("Undelete", "path", "src").error()).isNull();
			assertThat(Files.readSymbolicLink(TrashTests.this.root.resolve("src/link"))).isEqualTo(outside);
			assertThat(TrashTests.this.root.resolve("src/deep/Other.java")).exists();
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void linkIsDeletedWithoutItsTarget() throws IOException {
			Path outside = Files.createDirectory(TrashTests.this.directory.resolve("outside"));
			Files.writeString(outside.resolve("secret"), "secret");
			for (String target : List.of("outside", "nowhere")) {
				Path link = Files.createSymbolicLink(TrashTests.this.root.resolve(target),
						TrashTests.this.directory.resolve(target));
				delete(target);
				assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isFalse();
				assertThat(call("Undelete", "path", target).data()).containsEntry("type", "link");
				assertThat(Files.isSymbolicLink(link)).isTrue();
			}
			assertThat(outside.resolve("secret")).exists();
		}

		@Test
		void directoryWithContentIsDeletedOnlyWhenRecursive() {
			assertFailed(call("Delete", "path", "src"), "directory_not_empty", "recursive set to true");
			assertThat(TrashTests.this.root.resolve("src/Main.java")).exists();
			assertThat(listed()).isEmpty();
		}

		@Test
		void rootIsNeverDeleted() {
			for (Object permanent : List.of(true, false)) {
				assertFailed(call("Delete", "path", ".", "recursive", true, "permanent", permanent), "is_a_directory",
						"root of the workspace");
			}
		}

		@Test
		void permanentDeletionKeepsNothing() throws IOException {
			assertThat(call("Delete", "path", "src", "recursive", true, "permanent", true).text())
				.isEqualTo("Deleted 'src' (2 files, 31 bytes) for good.");
			assertThat(listed()).isEmpty();
			assertThat(kept()).isZero();
		}

		@Test
		void protectedPathInDirectoryRefusesWholeDeletion() {
			use(LocalFilesOptions.DEFAULTS
				.withWritePolicy(new WritePolicy(false, List.of("src/deep/Other.java"), List.of())));
			assertFailed(call("Delete", "path", "src", "recursive", true), "protected_path", "src");
			assertThat(TrashTests.this.root.resolve("src/Main.java")).exists();
			use(LocalFilesOptions.DEFAULTS.withWritePolicy(WritePolicy.READ_ONLY));
			assertFailed(call("Delete", "path", "readme.md"), "read_only", "");
			assertThat(listed()).isEmpty();
		}

		@Test
		void restrictionToPrefixesHoldsForBothTools() {
			use(LocalFilesOptions.DEFAULTS.withWritePolicy(new WritePolicy(false, List.of(), List.of("src"))));
			assertFailed(call("Delete", "path", "readme.md"), "protected_path", "readme.md");
			delete("src/Main.java");
			assertThat(call("Undelete", "path", "src/Main.java").error()).isNull();
			delete("src/Main.java");
			use(LocalFilesOptions.DEFAULTS.withWritePolicy(new WritePolicy(false, List.of(), List.of("src/deep"))));
			assertFailed(call("Undelete", "path", "src/Main.java"), "protected_path", "src/Main.java");
		}

		@ParameterizedTest
		@EnumSource(PathPolicy.class)
		void trashWorksWithEveryPathPolicy(PathPolicy policy) {
			use(LocalFilesOptions.DEFAULTS.withPathPolicy(policy));
			delete("src");
			assertThat(call("Undelete").text()).contains("src (2 files, 31 bytes)")
				.doesNotContain(TrashTests.this.state.toString());
			assertThat(call("Undelete", "path", "src").error()).isNull();
			assertThat(TrashTests.this.root.resolve("src/deep/Other.java")).exists();
		}

		@Test
		void writeCreatesDeletedFileWithoutReadingIt() {
			call("Read", "file_path", "readme.md");
			delete("readme.md");
			assertThat(call("Write", "file_path", "readme.md", "content", "new").data()).containsEntry("outcome",
					"created");
			assertFailed(call("Undelete", "path", "readme.md"), "file_exists", "Move what is there now");
			assertThat(TrashTests.this.root.resolve("readme.md")).hasContent("new");
			assertThat(listed()).containsExactly("readme.md");
		}

	}

	@Nested
	class Restoring {

		@Test
		void newestDeletionOfPathIsRestoredUnlessIdIsGiven() throws IOException {
			Object first = delete("readme.md").data().get("id");
			put("readme.md", 7);
			delete("readme.md");
			assertThat(listed()).containsExactly("readme.md", "readme.md");
			assertThat(call("Undelete", "path", "readme.md").data()).containsEntry("bytes", 7L);
			Files.delete(TrashTests.this.root.resolve("readme.md"));
			assertThat(call("Undelete", "id", first).data()).containsEntry("bytes", 6L);
		}

		@Test
		void unknownEntriesAreRefused() {
			delete("src");
			assertFailed(call("Undelete", "path", "readme.md"), "file_not_found", "without arguments");
			assertFailed(call("Undelete", "id", "../../x"), "file_not_found", "without arguments");
			assertFailed(call("Undelete", "path", "src/Main.java"), "file_not_found", "'src' was deleted as a whole");
		}

		@Test
		@EnabledOnOs(OS.LINUX)
		void trashOutlivesApplicationAndIsOfOneTenant() throws IOException {
			delete("readme.md");
			TrashTests.this.store = store(OPTIONS);
			use(TrashTests.this.context.files(), new TenantContext("other", "ann"));
			assertThat(listed()).isEmpty();
			use(TrashTests.this.context.files(), TenantContext.SINGLE);
			assertThat(listed()).containsExactly("readme.md");
			assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(TrashTests.this.state)))
				.isEqualTo("rwx------");
		}

		@Test
		void concurrentCallsRestoreOnce() {
			for (int round = 0; round < 10; round++) {
				delete("src");
				List<CompletableFuture<ToolResult>> calls = new ArrayList<>();
				for (int i = 0; i < 4; i++) {
					calls.add(CompletableFuture.supplyAsync(() -> call("Undelete", "path", "src")));
				}
				assertThat(calls.stream().filter((each) -> each.join().error() == null)).hasSize(1);
				assertThat(TrashTests.this.root.resolve("src/deep/Other.java")).exists();
			}
		}

	}

	@Nested
	class Patches {

		@Test
		void deletedFilesOfPatchAreRestored() {
			ToolResult result = patch("""
					*** Update File: src/Main.java
					@@
					 class Main {
					+	int x;
					 }
					*** Delete File: readme.md
					*** Delete File: src/deep/Other.java
					""");
			assertThat(result.error()).as(result.text()).isNull();
			List<?> files = (List<?>) result.data().get("files");
			for (Object file : files.subList(1, 3)) {
				String path = (String) ((Map<?, ?>) file).get("path");
				String id = (String) ((Map<?, ?>) file).get("id");
				assertThat(result.text()).contains("Deleted '" + path + "'. It is in the trash as " + id + ".");
				assertThat(TrashTests.this.root.resolve(path)).doesNotExist();
				assertThat(call("Undelete", "id", id).text()).contains("Restored '" + path + "'");
				assertThat(TrashTests.this.root.resolve(path)).exists();
			}
			assertThat(TrashTests.this.root.resolve("readme.md")).hasContent("about\n");
		}

		@Test
		void memoryKeepsFilesOfPatch() {
			InMemoryWorkspaceFiles files = new InMemoryWorkspaceFiles();
			useMemory(files);
			call("Write", "file_path", "a.txt", "content", "a\n");
			call("Write", "file_path", "b.txt", "content", "b\n");
			assertThat(patch("*** Delete File: a.txt\n*** Add File: a.txt\n+new\n*** Update File: b.txt\n@@\n-b\n+c\n")
				.error()).isNull();
			assertThat(call("Read", "file_path", "a.txt").text()).contains("new");
			assertThat(call("Read", "file_path", "b.txt").text()).contains("c");
			assertFailed(call("Undelete", "path", "a.txt"), "file_exists", "a.txt");
			assertThat(call("Delete", "path", "a.txt", "permanent", true).error()).isNull();
			assertThat(call("Undelete", "path", "a.txt").error()).isNull();
			assertThat(call("Read", "file_path", "a.txt").text()).doesNotContain("new");
		}

		@Test
		void refusedPatchLeavesNothingInTrash() throws IOException {
			put("big", 1001);
			put("half", 600);
			put("other", 600);
			assertFailed(patch("*** Delete File: readme.md\n*** Delete File: big\n"), "too_large", "1,000 bytes");
			assertFailed(patch("*** Delete File: half\n*** Delete File: other\n"), "too_large",
					"other' with what is deleted before it has 1,200 bytes");
			Files.writeString(TrashTests.this.root.resolve("readme.md"), "other\n");
			call("Read", "file_path", "readme.md");
			Files.writeString(TrashTests.this.root.resolve("readme.md"), "changed\n");
			assertFailed(patch("*** Delete File: half\n*** Delete File: readme.md\n"), "stale_read", "readme.md");
			assertThat(listed()).isEmpty();
			assertThat(TrashTests.this.root.resolve("half")).exists();
			assertThat(entries()).isZero();
		}

		@Test
		void movedFileIsNotDeletedInSamePatch() {
			assertFailed(patch("*** Update File: readme.md\n*** Move to: x.md\n*** Delete File: x.md\n"),
					"invalid_arguments", "leave the move out");
			assertThat(TrashTests.this.root.resolve("readme.md")).exists();
		}

		@Test
		void dryRunTouchesNoTrash() {
			assertThat(call("ApplyPatch", "patch", "*** Begin Patch\n*** Delete File: readme.md\n*** End Patch\n",
					"dry_run", true)
				.error()).isNull();
			assertThat(TrashTests.this.state).doesNotExist();
		}

		/**
		 * Returns the number of entries, also of those whose content is missing.
		 */
		private long entries() throws IOException {
			try (Stream<Path> tree = Files.walk(TrashTests.this.state)) {
				return tree.filter((path) -> path.endsWith("path")).count();
			}
		}

		private ToolResult patch(String sections) {
			return call("ApplyPatch", "patch", "*** Begin Patch\n" + sections + "*** End Patch\n");
		}

	}

}
