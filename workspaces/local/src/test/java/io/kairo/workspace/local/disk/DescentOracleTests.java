package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares {@link Descent} with the operating system for random links.
 */
@ParameterizedClass
@EnumSource
class DescentOracleTests extends DescentFixture {

	DescentOracleTests(OpenedBy openedBy) {
		super(openedBy);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 })
	void randomLinksResolveAsInTheOperatingSystem(long seed) throws IOException {
		Random random = new Random(seed);
		List<String> names = List.of("a", "b", "c", "d");
		List<Path> directories = new ArrayList<>(List.of(this.root, this.added));
		for (int i = 0; i < 60; i++) {
			Path parent = directories.get(random.nextInt(directories.size()));
			Path path = parent.resolve(names.get(random.nextInt(names.size())));
			if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
				continue;
			}
			switch (random.nextInt(4)) {
				case 0 -> directories.add(Files.createDirectory(path));
				case 1 -> Files.writeString(path, "content of " + path);
				default -> TestWorkspaces.link(path, target(random, names));
			}
		}
		int read = 0;
		for (int i = 0; i < 300; i++) {
			StringBuilder relative = new StringBuilder(names.get(random.nextInt(names.size())));
			for (int j = random.nextInt(4); j > 0; j--) {
				relative.append('/').append(names.get(random.nextInt(names.size())));
			}
			read += assertLikeTheOperatingSystem(relative.toString(), "seed " + seed + ", case " + i) ? 1 : 0;
		}
		assertThat(read).as("seed %d: paths inside", seed).isPositive();
	}

	private String target(Random random, List<String> names) {
		List<String> parts = new ArrayList<>();
		for (int i = random.nextInt(4); i >= 0; i--) {
			parts.add((random.nextInt(3) == 0) ? ".." : names.get(random.nextInt(names.size())));
		}
		return switch (random.nextInt(6)) {
			case 0 -> root + "/";
			case 1 -> added + "/";
			case 2 -> outside + "/";
			default -> "";
		} + String.join("/", parts);
	}

	private boolean assertLikeTheOperatingSystem(String relative, String as) throws IOException {
		WorkspaceResult<FileInfo> info = this.files.info(path(relative));
		Path real;
		try {
			real = path(relative).toPath().toRealPath();
		}
		catch (IOException ex) {
			assertThat(info.isOk()).as("%s: %s: %s", as, relative, info).isFalse();
			return false;
		}
		boolean inside = real.startsWith(this.root) || real.startsWith(this.added);
		if (!inside) {
			TestWorkspaces.failure(info, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			return false;
		}
		if (!info.isOk()) { // it left the roots and came back through a directory above
							// them
			TestWorkspaces.failure(info, WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED);
			return false;
		}
		if (Files.isRegularFile(real)) {
			assertThat(read(relative)).as("%s: %s", as, relative).isEqualTo(Files.readString(real));
		}
		else {
			assertThat(info.value().type()).as("%s: %s", as, relative).isEqualTo(FileType.DIRECTORY);
		}
		return true;
	}

}
