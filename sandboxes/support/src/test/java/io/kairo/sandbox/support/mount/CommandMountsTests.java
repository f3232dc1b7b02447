package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.mount.MountPlan.Entry;
import io.kairo.sandbox.support.mount.MountPlan.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests for {@link CommandMounts}.
 */
@EnabledOnOs(OS.LINUX)
class CommandMountsTests {

	private static final List<String> PROTECTED = List.of(".git/config", ".git/commondir");

	private final GitRedirects redirects = new GitRedirects();

	private final PrivateDirectory aside = new PrivateDirectory(null);

	private final MountPlaceholders placeholders = new MountPlaceholders(this.aside);

	@TempDir
	Path temp;

	private Path git;

	@BeforeEach
	void createRepository() throws IOException {
		this.git = Files.createDirectory(this.temp.toRealPath().resolve(".git"));
	}

	@AfterEach
	void removePlaceholders() {
		this.aside.close();
	}

	private CommandMounts protect() {
		Roots roots = Roots.of(new SandboxRequest.Builder("true", this.git.getParent()).build());
		CommandMounts mounts = new CommandMounts(roots, this.placeholders, this.redirects,
				new OwnerAccess((root, program) -> fail("no directory is closed"), null),
				() -> fail("access is not denied"));
		mounts.protect(PROTECTED);
		return mounts;
	}

	private Path redirect() throws IOException {
		return Files.writeString(this.git.resolve("commondir"), "../x\n");
	}

	@Test
	void missingFileIsProtectedUntilTheEnd() {
		Path config = this.git.resolve("config");
		try (CommandMounts mounts = protect()) {
			assertThat(mounts.plan().entries()).contains(new Entry(Kind.PINNED, this.git, this.git))
				.last()
				.isEqualTo(new Entry(Kind.READ_ONLY, config, config));
			assertThat(config).isEmptyFile();
		}
		assertThat(config).doesNotExist();
	}

	@Test
	void placeholderThatSomebodyRemovedIsCreatedAgain() throws IOException {
		Path config = this.git.resolve("config");
		try (CommandMounts first = protect()) {
			Files.delete(config);
			try (CommandMounts second = protect()) {
				assertThat(second.plan().entries()).isEqualTo(first.plan().entries());
				assertThat(config).isEmptyFile();
			}
			assertThat(config).isEmptyFile();
		}
		assertThat(config).doesNotExist();
	}

	@Test
	void keptPlaceholderIsMovedAsideBetweenCommands() throws IOException {
		Path config = this.git.resolve("config");
		Runnable end;
		Object key;
		try (CommandMounts first = protect()) {
			end = first.keepPlaceholders();
			key = Files.readAttributes(config, BasicFileAttributes.class).fileKey();
		}
		assertThat(config).doesNotExist();
		assertThat(this.aside.path()).isDirectoryContaining("glob:**placeholder-*");
		try (CommandMounts second = protect()) {
			assertThat(Files.readAttributes(config, BasicFileAttributes.class).fileKey()).isEqualTo(key);
		}
		assertThat(config).doesNotExist();
		Files.writeString(config, "kept");
		protect().close();
		assertThat(config).hasContent("kept");
		end.run();
		assertThat(this.aside.path()).isDirectoryNotContaining("glob:**placeholder-*");
		assertThat(config).hasContent("kept");
	}

	@Test
	void redirectIsRemovedUnlessItExistedBefore() throws IOException {
		Path left;
		try (CommandMounts mounts = protect()) {
			left = redirect();
		}
		assertThat(left).doesNotExist();
		Path kept = redirect();
		try (CommandMounts mounts = protect()) {
			assertThat(mounts.plan().entries()).contains(new Entry(Kind.READ_ONLY, kept, kept));
		}
		assertThat(kept).exists();
	}

}
