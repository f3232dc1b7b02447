package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceChange.CompareExchange;
import io.kairo.api.workspace.WorkspaceChange.Copy;
import io.kairo.api.workspace.WorkspaceChange.Delete;
import io.kairo.api.workspace.WorkspaceChange.Move;
import io.kairo.api.workspace.WorkspaceChange.Overwrite;
import io.kairo.api.workspace.WorkspaceChange.Write;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sockets, devices, FIFOs and hard links in a workspace.
 */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpecialFilesTests extends OneRootFixture {

	@BeforeEach
	void createFile() throws IOException {
		file("file", "x");
	}

	private void isNeitherReadNorWritten(String name) throws IOException {
		TestWorkspaces.link(this.root.resolve("link"), name);
		for (String path : List.of(name, "link")) {
			TestWorkspaces.failure(this.files.read(path(path), 0, 10), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			TestWorkspaces.failure(this.files.list(path(path), 1), WorkspaceErrorCode.NOT_A_DIRECTORY);
			assertThat(this.files.info(path(path)).value().type()).isEqualTo(FileType.OTHER);
			for (WorkspaceChange change : List.of(new Write(path(path), bytes("y")),
					new CompareExchange(path(path), bytes("x"), bytes("y")), new Copy(path(path), path("copy")),
					new Move(path("file"), path(path), Overwrite.REPLACE, null))) {

				TestWorkspaces.failure(this.files.apply(change), WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE);
			}
			TestWorkspaces.failure(this.files.read(path(path + "/below"), 0, 10), WorkspaceErrorCode.NOT_A_DIRECTORY);
		}
		assertThat(this.files.walk(this.files.root(), (file) -> WorkspaceVisitor.Next.CONTINUE).value().others())
			.isOne();
		assertThat(this.root.resolve("file")).hasContent("x");
		assertThat(this.root.resolve("copy")).doesNotExist();
		this.files.apply(new Move(path(name), path("moved"))).value();
		this.files.apply(new Delete(path("moved"))).value();
		assertThat(this.root.resolve("moved")).doesNotExist();
	}

	@Test
	void fifoIsNeitherReadNorWritten() throws Exception {
		TestWorkspaces.fifo(this.root.resolve("fifo"));
		isNeitherReadNorWritten("fifo");
	}

	@Test
	void socketIsNeitherReadNorWritten() throws IOException {
		try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
			// its path has to be short
			server.bind(UnixDomainSocketAddress.of(this.temp.resolve("s")));
			Files.move(this.temp.resolve("s"), this.root.resolve("socket"));
			isNeitherReadNorWritten("socket");
		}
	}

	@Test
	void deviceIsNeitherReadNorWritten() throws Exception {
		Process process = new ProcessBuilder("mknod", this.root.resolve("zero").toString(), "c", "1", "5")
			.redirectErrorStream(true)
			.start();
		boolean made = process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
		Assumptions.assumeTrue(made, "SKIPPED: needs to make a device, which only root can do");
		isNeitherReadNorWritten("zero");
	}

	@Test
	void hardLinkKeepsTheOldContent() throws IOException {
		Files.createLink(this.root.resolve("name"), this.root.resolve("file"));
		this.files.apply(new Write(path("name"), bytes("new"))).value();
		assertThat(this.root.resolve("name")).hasContent("new");
		assertThat(this.root.resolve("file")).hasContent("x");
	}

	@Test
	void protectedFileIsNotChangedThroughAHardLink() throws IOException {
		Path hook = TestWorkspaces.file(this.root.resolve(".git/hooks/pre-commit"), "kept");
		Path outside = TestWorkspaces.file(this.temp.resolve("outside"), "outside");
		Files.createLink(this.root.resolve("hook"), hook);
		Files.createLink(this.root.resolve("out"), outside);
		this.files = new LocalWorkspaceFilesFactory(
				LocalFilesOptions.DEFAULTS.withWritePolicy(new WritePolicy(false, List.of(".git/hooks"), List.of())))
			.open(TestWorkspaces.of(this.root));
		for (String name : List.of("hook", "out")) {
			this.files.apply(new Write(path(name), bytes("new"))).value();
			this.files.apply(new CompareExchange(path(name), bytes("new"), bytes("newer"))).value();
			assertThat(this.root.resolve(name)).hasContent("newer");
		}
		assertThat(hook).hasContent("kept");
		assertThat(outside).hasContent("outside");
	}

}
