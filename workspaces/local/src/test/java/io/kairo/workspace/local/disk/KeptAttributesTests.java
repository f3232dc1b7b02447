package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserDefinedFileAttributeView;
import java.util.List;

import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.OrdinaryUser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the attributes of files that are replaced, and for files that cannot be.
 */
@EnabledOnOs(OS.LINUX)
class KeptAttributesTests {

	/** Prints a list for a further user, in the form of the attribute. */
	private static final String LIST = "import os,struct,sys;e=lambda t,p,i:struct.pack('<HHI',t,p,i);n=0xffffffff;"
			+ "os.setxattr(sys.argv[1],'system.posix_acl_access',struct.pack('<I',2)"
			+ "+e(1,6,n)+e(2,4,1234)+e(4,4,n)+e(16,4,n)+e(32,0,n))";

	@TempDir
	Path root;

	private WorkspaceFiles files;

	private Path file;

	@BeforeEach
	void createFile() throws IOException {
		this.root = this.root.toRealPath();
		this.files = new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(TestWorkspaces.of(this.root));
		this.file = TestWorkspaces.file(this.root.resolve("sub/file"), "the old content");
	}

	@Test
	void changesKeepExtendedAttributes() throws IOException {
		try {
			view().write("note", ByteBuffer.wrap("kept".getBytes(StandardCharsets.UTF_8)));
		}
		catch (IOException ex) {
			assumeTrue(false, "needs a file system with extended attributes");
		}
		this.files.apply(write("sub/file", "new")).value();
		assertThat(this.file).hasContent("new");
		assertThat(view().list()).containsExactly("note");
		this.files.apply(new WorkspaceChange.Batch(List.of(write("sub/file", "newer"), write("other", "x")))).value();
		assertThat(this.file).hasContent("newer");
		assertThat(view().list()).containsExactly("note");
		this.files.apply(new WorkspaceChange.Batch(List.of(write("sub/file", "newest"), write("sub", "x"))));
		assertThat(this.file).hasContent("newer");
		assertThat(view().list()).containsExactly("note");
	}

	@Test
	void changesKeepAccessControlList() throws Exception {
		assumeTrue(python(LIST) != null, "needs Python and a file system with access control lists");
		this.files.apply(write("sub/file", "new")).value();
		assertThat(this.file).hasContent("new");
		assertThat(python("import os,sys;print(os.listxattr(sys.argv[1]))")).contains("system.posix_acl_access");
	}

	@Test
	void changeOfReadOnlyFileIsRefused() throws IOException {
		Files.setPosixFilePermissions(this.file, PosixFilePermissions.fromString("r--r--r--"));
		OrdinaryUser.required(!Files.isWritable(this.file));
		assertThat(this.files.apply(write("sub/file", "new")).toString()).contains("is read-only (r--r--r--)",
				"chmod u+w");
		assertThat(this.file).hasContent("the old content");
	}

	@Test
	void refusalNamesReadOnlyDirectory() throws IOException {
		Files.setPosixFilePermissions(this.file.getParent(), PosixFilePermissions.fromString("r-xr-xr-x"));
		try {
			OrdinaryUser.required(!Files.isWritable(this.file.getParent()));
			assertThat(this.files.apply(write("sub/file", "new")).toString())
				.contains("no file can be created in its directory 'sub'");
		}
		finally {
			Files.setPosixFilePermissions(this.file.getParent(), PosixFilePermissions.fromString("rwxr-xr-x"));
		}
	}

	@Test
	void refusalOfMountPointDoesNotAdviseToTryAgain() {
		RefusedException refused = RefusedException
			.notWritten(new FileSystemException("a", "b", "Device or resource busy"));
		assertThat(refused.reason()).contains("is a mount point", "in place").doesNotContain("try again");
	}

	private WorkspaceChange write(String path, String text) {
		return new WorkspaceChange.Write(new WorkspacePath(this.root, path), text.getBytes(StandardCharsets.UTF_8));
	}

	private UserDefinedFileAttributeView view() {
		return Files.getFileAttributeView(this.file, UserDefinedFileAttributeView.class);
	}

	/**
	 * Runs a program of Python on the file, as Java has no calls for such lists.
	 * @return its output, null if it fails
	 */
	private String python(String program) throws Exception {
		try {
			Process process = new ProcessBuilder("python3", "-c", program, this.file.toString()).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.waitFor() == 0) ? output : null;
		}
		catch (IOException ex) {
			return null; // there is no such program
		}
	}

}
