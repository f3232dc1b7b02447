package io.kairo.sandbox.landlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.host.PrivateDirectory;
import io.kairo.linux.LandlockRules;
import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.support.mount.Roots;
import io.kairo.sandbox.support.process.ProcessLauncher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link DomainPool}.
 */
@EnabledOnOs(OS.LINUX)
class DomainPoolTests {

	private final FewDomains domains = new FewDomains();

	private PrivateDirectory directory;

	private DomainPool pool;

	@BeforeEach
	void create(@TempDir Path temp) {
		this.directory = new PrivateDirectory(temp);
		this.pool = new DomainPool(this.directory, new AccessRules(CommandSettings.DEFAULTS));
	}

	@AfterEach
	void close() {
		this.pool.close();
		assertThat(this.domains.open).isEmpty();
		this.directory.close();
	}

	private PooledDomain take(String identity) throws IOException {
		return this.pool.take(new Access(new Roots(List.of()), List.of(identity), false, false), null, this.domains);
	}

	@Test
	void compartmentIsUsedAgainForTheSameAccessAlone() throws Exception {
		PooledDomain first = take("one");
		assertThat(take("one")).isNotEqualTo(first).satisfies(this.pool::give);
		this.pool.give(first);
		PooledDomain other = take("two");
		assertThat(other.files()).isNotEqualTo(first.files());
		assertThat(take("one")).isSameAs(first);
		this.pool.give(other);
		this.pool.give(first);
	}

	@Test
	void compartmentWithLeftFilesIsClosed() throws Exception {
		PooledDomain first = take("one");
		Files.createFile(first.files().temporary().resolve("left"));
		this.pool.give(first);
		assertThat(this.domains.open).isEmpty();
		PooledDomain second = take("one");
		assertThat(second.files()).isNotEqualTo(first.files());
		this.pool.give(second);
	}

	@Test
	void idleCompartmentsAreClosedWhereOneLacksWhatTheyHold() throws Exception {
		this.domains.most = 2;
		PooledDomain first = take("one");
		PooledDomain second = take("two");
		assertThatIOException().isThrownBy(() -> take("three")).withMessage("no more");
		assertThat(first.files().directory().getParent()).isDirectoryNotContaining("glob:**-3");
		this.pool.give(first);
		PooledDomain third = take("three");
		assertThat(this.domains.open).hasSize(2);
		assertThat(first.files().directory()).doesNotExist();
		this.pool.give(second);
		this.pool.give(third);
	}

	@Test
	void onlySomeIdleCompartmentsAreKept() throws Exception {
		List<PooledDomain> many = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			many.add(take("same"));
		}
		many.forEach(this.pool::give);
		assertThat(this.domains.open).hasSize(16);
	}

	@Test
	void compartmentInUseIsClosedWhenItIsGivenBackAfterTheOthers() throws Exception {
		PooledDomain used = take("one");
		this.pool.close();
		assertThat(this.domains.open).hasSize(1);
		this.pool.give(used);
		assertThat(this.domains.open).isEmpty();
	}

	/**
	 * Domains of which only some can be open.
	 */
	private static final class FewDomains implements Domains {

		private final List<CommandDomain> open = new ArrayList<>();

		private int most = Integer.MAX_VALUE;

		@Override
		public int abi() {
			return LandlockRules.SCOPE_ABI;
		}

		@Override
		public boolean killable() {
			return true;
		}

		@Override
		public String means() {
			return "a test";
		}

		@Override
		public boolean gated() {
			return true;
		}

		@Override
		public CommandDomain open(LandlockRules rules, byte[] filter) throws IOException {
			if (this.open.size() >= this.most) {
				throw new IOException("no more");
			}
			CommandDomain domain = new CommandDomain() {

				@Override
				public ProcessLauncher launcher(boolean gated) {
					throw new IllegalStateException();
				}

				@Override
				public void reset(Runnable then) {
					then.run();
				}

				@Override
				public void close() {
					assertThat(FewDomains.this.open.remove(this)).isTrue();
				}

			};
			this.open.add(domain);
			return domain;
		}

		@Override
		public void close() {
			// nothing is held
		}

	}

}
