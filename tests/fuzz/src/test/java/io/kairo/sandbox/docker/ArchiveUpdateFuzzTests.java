package io.kairo.sandbox.docker;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.kairo.host.HostUser;
import io.kairo.sandbox.support.copy.CopyBound;
import io.kairo.sandbox.support.copy.CopyRemarks;
import io.kairo.sandbox.support.copy.RootCopy;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.workspace.local.disk.tree.OwnedTree;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Fuzzes the archive of a container from which a directory is updated.
 */
class ArchiveUpdateFuzzTests {

	private static final int MAX_BYTES = 1 << 16;

	@FuzzTest(maxDuration = "1m")
	void archiveIsAppliedInItsDirectoryOrRefused(byte[] archive) throws IOException {
		HostUser user = HostUser.current();
		if (user == null) {
			return;
		}
		Path parent = Files.createTempDirectory("kairo-archive").toRealPath();
		try {
			Path source = Files.createDirectory(parent.resolve("workspace"));
			Files.writeString(source.resolve("kept"), "kept");
			Files.writeString(parent.resolve("secret"), "secret");
			apply(archive, source, user, parent.resolve("staging"));
			assertThat(parent.resolve("secret")).hasContent("secret");
			try (Stream<Path> beside = Files.list(parent)) {
				assertThat(beside).hasSize(3);
			}
		}
		finally {
			new OwnedTree(parent).remove();
		}
	}

	private static void apply(byte[] archive, Path source, HostUser user, Path staging) throws IOException {
		Root root = new Root(source, source, Path.of("/srv/workspace"), true);
		RootCopy copy = new RootCopy(root, new Roots(List.of(root)), new MountPlan());
		copy.copy((relative, entry, sealed, path) -> new byte[0], new CopyBound(MAX_BYTES));
		try (FileChannel file = FileChannel.open(staging, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ,
				StandardOpenOption.WRITE)) {
			new ArchiveUpdate(copy, user, file, new CopyBound(MAX_BYTES), new CopyRemarks())
				.apply(new ByteArrayInputStream(archive));
		}
		catch (IOException ex) {
			// It is refused, which the user is told.
		}
	}

}
