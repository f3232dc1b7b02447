package io.kairo.workspace.local.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import io.kairo.host.Sha256;
import io.kairo.workspace.local.disk.MemoryDirectory;
import io.kairo.workspace.local.repository.RepositoryGuard.Watch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link RepositoryGuard} with commands that are not confined. What mounts
 * protect in a sandbox is not changed by them.
 */
class RepositoryGuardTests {

	private static final List<String> PATHS = List.of(".env", ".git/hooks", ".git/config", ".git/config.worktree",
			".git/modules", ".git/commondir");

	private static final List<String> WITHOUT_CONFIG = List.of(".env", ".git/hooks", ".git/config.worktree",
			".git/commondir");

	private static final String OWNED = "# mine\n[core]\n\tbare = false\n[alias]\n\tmine = !owner\n[user]\n\tname = Ann\n";

	@TempDir(factory = MemoryDirectory.class)
	Path temp;

	private Path root;

	private Path state;

	private RepositoryGuard guard;

	@BeforeEach
	void makeRoot() throws IOException {
		this.root = Files.createDirectory(this.temp.toRealPath().resolve("root"));
		this.state = this.temp.resolve("state");
		this.guard = new RepositoryGuard(this.state);
	}

	@AfterEach
	void grantAccess() throws IOException {
		shell("chmod -R u+rwX '" + this.temp + "'");
	}

	private void makeRepository() throws IOException {
		Files.createDirectories(git("hooks"));
		Files.writeString(git("hooks/pre-commit"), "owner");
		Files.createDirectory(git("objects"));
		Files.createDirectory(git("refs"));
		Files.writeString(git("HEAD"), "ref: refs/heads/main\n");
		Files.writeString(git("config"), OWNED);
	}

	private Path git(String path) {
		return this.root.resolve(".git").resolve(path);
	}

	private String config() throws IOException {
		return Files.readString(git("config"), StandardCharsets.ISO_8859_1);
	}

	private Watch begin() throws IOException {
		return this.guard.begin(List.of(this.root), PATHS, true);
	}

	private void shell(String script) throws IOException {
		Process process = new ProcessBuilder("/bin/sh", "-c", script).directory(this.temp.resolve("root").toFile())
			.inheritIO()
			.start();
		process.onExit().join();
	}

	private List<String> run(String script) throws IOException {
		Watch watch = begin();
		shell(script);
		return watch.end(true);
	}

	private List<Path> records() throws IOException {
		try (Stream<Path> files = Files.list(this.state)) {
			return files.filter((file) -> !file.toString().endsWith(".claim")).toList();
		}
	}

	private Process program(String step) throws IOException {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				RepositoryGuardProgram.class.getName(), this.root.toString(), this.state.toString(), step)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
	}

	/**
	 * Looks for what Git would use.
	 */
	private void assertNothingIsLeft() throws IOException {
		for (String name : List.of("config", "config.worktree", "commondir", "hooks")) {
			assertThat(git(name)).matches((path) -> !Files.isSymbolicLink(path));
			if (Files.isDirectory(git(name))) {
				try (Stream<Path> entries = Files.list(git(name))) {
					assertThat(entries.filter((path) -> !path.toString().endsWith(".sample"))).allMatch(
							(path) -> Files.isRegularFile(path) && path.getFileName().toString().equals("pre-commit"));
				}
			}
			else if (Files.exists(git(name), LinkOption.NOFOLLOW_LINKS)) {
				assertThat(git(name)).isRegularFile().content(StandardCharsets.ISO_8859_1).doesNotContain("evil");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "echo '[core] fsmonitor = evil' >> .git/config",
			"echo '[Core]\nHOOKSPATH=evil' >> .git/config", "printf '[core]\\n ssh\\\\\\n = evil' >> .git/config",
			"printf '[core]\\n sshCommand = \\\\\\nevil' >> .git/config",
			"printf '\\357\\273\\277[alias]\\rx = evil' > .git/config",
			"printf '[alias]\\r\\nx = !evil\\r\\n' >> .git/config", "echo '[include]path = evil' >> .git/config",
			"echo '[includeIf \"gitdir:~/\"]path = evil' >> .git/config", "echo '[alias \"\"] x = evil' >> .git/config",
			"echo '[url \"evil\"]insteadOf = x' >> .git/config", "echo '[filter \"x\"]clean = evil' >> .git/config",
			"echo '[credential]helper = !evil' >> .git/config", "echo '[remote \"evil\"]url = ../evil' >> .git/config",
			"echo '[remote \"x\"]url = file:///evil' >> .git/config",
			"echo '[remote \"--upload-pack=touch evil;\"]url = https://h/x' >> .git/config",
			"echo '[extensions]partialClone = evil' >> .git/config",
			"echo '[branch \"main\"]pushremote = evil' >> .git/config", "echo 'evil' >> .git/config",
			"cp .git/config c; echo '[alias]x = evil' >> c; mv c .git/config",
			"cp .git/config c; echo '[alias]x = evil' >> c; ln -f c .git/config",
			"echo '[alias]x = evil' > evil; ln -sf ../evil .git/config", "rm .git/config; mkdir .git/config",
			"rm .git/config; mkfifo .git/config", "rm .git/config", "truncate -s 2M .git/config",
			"truncate -s 1T .git/config", "printf '[alias]\\n\\tmine = !evil\\n' > .git/config",
			"echo '[alias]mine = !evil' >> .git/config",
			"sed -i /mine/d .git/config; echo '[alias]mine=evil' >> .git/config", "sed -i /mine/d .git/config",
			"yes '[a]k' | head -c 900000 >> .git/config", "head -c 1000000 /dev/zero | tr '\\0' a >> .git/config",
			"echo '[alias]x = evil' >> .git/config; chmod 000 .git/config",
			"echo '[alias]x = evil' >> .git/config; chmod 555 .git",
			"echo '[alias]x = evil' >> .git/config; chmod 000 .git",
			"echo '[alias]x = evil' >> .git/config; chmod 311 .git .",
			"(printf '#%01000d' 0; echo '[alias]x = evil') >> .git/config" })
	void whatGitWouldRunIsUndoneAndNamed(String attack) throws IOException {
		makeRepository();
		assertThat(run("mkdir e; echo evil > evil; " + attack)).isNotEmpty();
		assertThat(git("config")).isRegularFile();
		assertThat(config()).startsWith(OWNED).doesNotContain("evil");
		assertThat(GitConfig.parse(Files.readAllBytes(git("config"))).settings())
			.filteredOn((setting) -> !GitSettings.isHarmless(setting, Set.of()))
			.containsExactly(new GitConfig.Setting("alias", null, "mine", "!owner"));
		assertThat(git("hooks/pre-commit")).hasContent("owner");
		assertNothingIsLeft();
		assertThat(begin().end(true)).as("later check").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "ln -s evil .git", "echo 'gitdir: evil' > .git", "mkfifo .git",
			"mkdir -p .git/hooks; echo evil > .git/hooks/update", "mkdir -p .git/hooks/update",
			"mkdir -p .git; ln -s ../evil .git/hooks", "mkdir -p .git; mkfifo .git/hooks",
			"mkdir .git; echo '[alias]x = evil' > .git/config", "mkdir .git; ln -s ../evil .git/config",
			"mkdir .git; echo '[alias]x = evil' > .git/config.worktree", "mkdir .git; echo evil > .git/commondir",
			"mkdir objects refs; echo evil > HEAD", "mkdir objects refs; ln -s evil HEAD",
			"echo evil > HEAD; echo evil > commondir",
			"mkdir -p .git/hooks; cd .git/hooks; seq 12000 | sed 's/$/.sample/' | xargs touch; echo evil > zzz",
			"mkdir -p .git/hooks; echo evil > .git/hooks/update; chmod 311 .git/hooks",
			"mkdir -p .git/hooks; echo evil > .git/hooks/update; chmod 555 .git/hooks .git .",
			"mkdir -p .git/hooks; echo evil > .git/hooks/update; chmod 000 .git" })
	void rootThatWasNoRepositoryBecomesNoneThatRunsAnything(String attack) throws IOException {
		assertThat(run("echo evil > evil; " + attack)).isNotEmpty();
		assertThat(Files.isDirectory(this.root.resolve(".git"), LinkOption.NOFOLLOW_LINKS)
				|| !Files.exists(this.root.resolve(".git"), LinkOption.NOFOLLOW_LINKS))
			.isTrue();
		assertThat(Files.exists(this.root.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS)).isFalse();
		assertNothingIsLeft();
		Watch next = begin();
		assertThat(next.end(true)).as("later check").isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "true", "printf '[user]\\nemail = a@b\\n' >> .git/config",
			"printf '[remote \"o\"]\\nurl = https://h/x\\n[branch \"b\"]\\nremote = o\\n' >> .git/config",
			"sed -i /name/d .git/config", "mkdir -p .git/worktrees/x .git/rebase-merge .git/modules/lib" })
	void whatRunsNothingStays(String command) throws IOException {
		makeRepository();
		shell("cp -r .git ../copy; (cd ..; mkdir other; mv copy other/.git; cd other; " + command + ")");
		assertThat(run(command)).isEmpty();
		Process same = new ProcessBuilder("diff", "-r", "other", "root").directory(this.temp.toFile()).start();
		assertThat(same.onExit().join().exitValue()).isZero();
	}

	@Test
	void repositoryMayBeMade() throws IOException {
		assertThat(run(
				"mkdir -p .git/hooks .git/branches; touch .git/hooks/a.sample; echo '[core]bare=false' > .git/config"))
			.isEqualTo(List.of("the form or order of settings"));
		assertThat(git("hooks/a.sample")).exists();
		assertThat(run("printf '[core]\\n\\tbare = false\\n[user]\\n\\tname = b\\n' > .git/config")).isEmpty();
		assertThat(config()).isEqualTo("[core]\n\tbare = false\n[user]\n\tname = b\n");
	}

	@Test
	void settingsAreKeptApartAndRemovedOnesAreAside() throws IOException {
		makeRepository();
		Files.writeString(git("config"), "[include]\n\tpath = own", StandardOpenOption.APPEND);
		String owned = config();
		assertThat(run("printf '\\n[user]\\nemail = a@b\\n[core]\\nfsmonitor = evil\\n' >> .git/config"))
			.containsExactly("core.fsmonitor");
		assertThat(config()).isEqualTo(owned + "\n[user]\n\temail = a@b\n");
		try (Stream<Path> entries = Files.list(this.root.resolve(".git"))) {
			assertThat(entries.filter((path) -> path.toString().matches(".*/kairo-removed-\\d+-config")))
				.singleElement()
				.satisfies((path) -> assertThat(path).content().contains("fsmonitor = evil"));
		}
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "[remote \"o\"] url = /srv/x; [branch \"b\"] remote = o|/url/d|remote.o.url (put back)",
					"[commit] gpgsign = true|/sign/d|commit.gpgsign (put back)",
					"[commit] gpgsign = true|s/true/false/|commit.gpgsign,commit.gpgsign (put back)",
					"[remote \"o\"] url = /srv/x|$a[remote \"o\"]\\nurl = https://h/x\\n|remote.o.url",
					"[remote \"o\"] url = https://h/x; [branch \"b\"] remote = o|/url/d|branch.b.remote",
					"[include] path = a; [include] path = b|s/= a/= c/|include.path,include.path (put back)",
					"[include] path = a; [include] path = b|s/= a/= b/|include.path (put back)" })
	void settingOfTheOwnerIsPutBack(String owned, String script, String expected) throws IOException {
		makeRepository();
		Files.writeString(git("config"), owned.replace("; ", "\n").replace("] ", "]\n\t") + "\n");
		String before = config();
		assertThat(run("sed -i '" + script + "' .git/config")).containsExactly(expected.split(","));
		assertThat(config()).startsWith(before);
		assertThat(GitConfig.parse(Files.readAllBytes(git("config"))))
			.isEqualTo(GitConfig.parse(before.getBytes(StandardCharsets.UTF_8)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "rm .git/config; ln -s ../x .git/config", "rm .git/config; mkdir .git/config",
			"rm .git/config; mkfifo .git/config", "truncate -s 2M .git/config", "echo [ >> .git/config",
			"rm .git/config", "echo ../x > .git/commondir", "rm -r .git; ln -s x .git", "rm -r .git; mkfifo .git",
			"rm -r .git; echo 'gitdir: x' > .git", "mkdir objects refs; touch HEAD" })
	void configurationThatCannotBeCheckedIsProtected(String before) throws IOException {
		makeRepository();
		shell(before);
		Watch watch = begin();
		assertThat(watch.protectedPaths()).isEqualTo(PATHS);
		assertThat(watch.end(true)).isEmpty();
	}

	@Test
	void protectedPathsAreThoseThatAreNotChecked() throws IOException {
		Watch first = begin();
		assertThat(first.protectedPaths()).containsExactly(".env");
		first.end(true);
		Files.createDirectory(this.root.resolve(".git"));
		first = begin();
		assertThat(first.protectedPaths()).containsExactly(".env");
		first.end(true);
		makeRepository();
		assertThat(begin().protectedPaths()).isEqualTo(WITHOUT_CONFIG);
	}

	@Test
	void guardAppliesOnlyToUsualPaths() {
		List<String> anywhere = List.of(".git/config");
		assertThat(RepositoryGuard.applies(PATHS, anywhere)).isTrue();
		assertThat(RepositoryGuard.applies(PATHS, List.of())).isFalse();
		assertThat(RepositoryGuard.applies(List.of(".git/hooks"), anywhere)).isFalse();
		assertThat(RepositoryGuard.applies(List.of(".git/config", ".git"), anywhere)).isFalse();
		assertThat(RepositoryGuard.applies(List.of(".git/config", ".git/info"), anywhere)).isFalse();
	}

	/**
	 * A rename over the configuration lifts the mount that protects it in another
	 * command.
	 */
	@Test
	void commandsThatMayWriteAndThatMayNotNeverOverlap() throws IOException {
		makeRepository();
		Files.writeString(git("config"), "[");
		Watch readOnly = begin();
		Files.writeString(git("config"), OWNED);
		Watch second = begin();
		assertThat(second.protectedPaths()).isEqualTo(PATHS);
		readOnly.end(true);
		assertThat(begin().protectedPaths()).isEqualTo(PATHS);
		second.end(true);
		this.guard = new RepositoryGuard(this.temp.resolve("other"));
		Watch writable = begin();
		Files.writeString(git("config"), "[");
		assertThat(begin().protectedPaths()).isEqualTo(WITHOUT_CONFIG);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.guard.begin(List.of(this.root), PATHS, false));
		writable.end(true);
		assertThat(config()).isEqualTo(OWNED);
	}

	@Test
	void overlappingCommandsAreComparedWithTheLastGoodState() throws IOException {
		makeRepository();
		Watch first = begin();
		Watch second = begin();
		shell("echo '[alias]x = evil' >> .git/config; printf '[user]\\nemail = a@b\\n' >> .git/config");
		assertThat(first.end(true)).containsExactly("alias.x");
		assertThat(first.end(true)).isEmpty();
		assertThat(config()).doesNotContain("evil").contains("email = a@b", "!owner");
		shell("echo '[alias]z = evil' >> .git/config; sed -i /mine/d .git/config");
		assertThat(second.end(true)).containsExactly("alias.z", "alias.mine (put back)");
		assertThat(config()).contains("email = a@b", "!owner");
		shell("echo '[alias]new = mine' >> .git/config");
		assertThat(begin().end(true)).isEmpty();
		assertThat(config()).contains("new = mine");
	}

	@Test
	void repositoryThatIsMadeWhileAnotherCommandRunsIsNotTrusted() throws IOException {
		Watch first = begin();
		assertThat(run("mkdir -p .git/hooks; printf '[core]\\nbare=false\\n' > .git/config")).isEmpty();
		Watch third = begin();
		assertThat(third.protectedPaths()).containsExactly(".env");
		shell("echo evil > .git/hooks/update");
		assertThat(third.end(true)).containsExactly("hooks/update");
		shell("mkdir .git/hooks; echo evil > .git/hooks/push");
		assertThat(first.end(true)).containsExactly("hooks/push");
		assertNothingIsLeft();
	}

	@Test
	void noCommandBeginsAfterFailedCheckUntilItSucceeds() throws IOException {
		makeRepository();
		Path other = Files.createDirectory(this.temp.resolve("other"));
		Watch watch = begin();
		shell("echo '[alias]x = evil' >> .git/config");
		Path moved = Files.move(this.root, this.temp.resolve("moved"));
		Files.createDirectory(this.root);
		assertThat(watch.end(true)).singleElement().asString().contains("could not be checked");
		assertThatExceptionOfType(IOException.class).isThrownBy(this::begin);
		assertThat(this.guard.begin(List.of(other), PATHS, true).end(true)).isEmpty();
		Files.delete(this.root);
		Files.move(moved, this.root);
		begin().end(true);
		assertThat(config()).isEqualTo(OWNED);
		assertThat(records()).isEmpty();
	}

	@Test
	void configurationIsProtectedIfNothingCanBeRecorded() throws IOException {
		makeRepository();
		Path other = Files.createDirectory(this.temp.resolve("other"));
		Watch running = this.guard.begin(List.of(other), PATHS, true);
		Path record = records().get(0);
		// in the place of the record to come
		Files.createDirectories(record.resolveSibling(record.getFileName()
			.toString()
			.replace(Sha256.hex(other.toString(), 16), Sha256.hex(this.root.toString(), 16)) + ".draft"));
		Watch watch = begin();
		assertThat(watch.protectedPaths()).isEqualTo(PATHS);
		assertThat(watch.end(true)).isEmpty();
		running.end(true);
	}

	/**
	 * The program {@code git} lists nothing that may not stay, whatever a command writes.
	 */
	@Test
	void gitReadsOnlyWhatMayStay() throws IOException {
		assumeThat(Path.of("/usr/bin/git")).as("the program git").isExecutable();
		makeRepository();
		long seed = Long.getLong("kairo.random.seed", new Random().nextLong());
		Random random = new Random(seed);
		List<String> parts = List.of("[core]", "[Core]\n", "[alias \"a b\"]\n", "[alias.B]", "[include]",
				"\npath = evil", "\n", "\nfsmonitor = evil\n", "\r\n", "\r", "\\\n", "\\", "\"", "#", ";", "]", "[",
				"\t", " ", "=", "bare = true", "\n[user]\nname = b", "\u00EF\u00BB\u00BF", "\u0000", "\nhooksPath",
				"[\"", "x", "\n[remote \"o\"]\nurl = ../evil", "\n[remote \"o\"]\nurl = https://h/x\n",
				"\n[branch \"x\"]\nremote = o");
		for (int i = 0; i < Integer.getInteger("kairo.random.configs", 50); i++) {
			StringBuilder text = new StringBuilder(random.nextBoolean() ? OWNED : "");
			for (int count = random.nextInt(12); count > 0; count--) {
				text.append(parts.get(random.nextInt(parts.size())));
			}
			Watch watch = begin();
			Files.writeString(git("config"), text, StandardCharsets.ISO_8859_1);
			List<String> undone = watch.end(true);
			Process git = new ProcessBuilder("/usr/bin/git", "config", "--file", git("config").toString(), "--list")
				.redirectErrorStream(true)
				.start();
			String read = new String(git.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
			// values may contain a carriage return
			assertThat(read.split("\n")).as("seed %d: %s, undone %s", seed, text, undone)
				.allMatch((line) -> line.matches("(?s)core\\.bare=.*|user\\.name=.*|remote\\.o\\.url=https://h/x.*|"
						+ "branch\\.x\\.remote=o.*|alias\\.mine=!owner"))
				.contains("alias.mine=!owner");
		}
	}

	@Test
	void rootsAreTreatedAlike() throws IOException {
		Path other = Files.createDirectory(this.temp.toRealPath().resolve("other"));
		Watch watch = this.guard.begin(List.of(this.root, other), PATHS, true);
		assertThat(watch.protectedPaths()).containsExactly(".env");
		watch.end(true);
		makeRepository();
		watch = this.guard.begin(List.of(other, this.root), PATHS, true);
		assertThat(watch.protectedPaths()).isEqualTo(WITHOUT_CONFIG);
		shell("echo '[alias]x = evil' >> .git/config; mkdir -p ../other/.git/hooks; echo evil > ../other/.git/hooks/x");
		assertThat(watch.end(true)).containsExactlyInAnyOrder("hooks/x", "alias.x");
		Files.writeString(other.resolve(".git/config"), "[");
		Watch readOnly = this.guard.begin(List.of(this.root, other), PATHS, true);
		assertThat(readOnly.protectedPaths()).isEqualTo(PATHS);
		assertThat(begin().protectedPaths()).isEqualTo(PATHS);
	}

	@Test
	void interruptDoesNotPreventTheCheck() throws IOException {
		makeRepository();
		Watch watch = begin();
		shell("echo '[alias]x = evil' >> .git/config");
		Thread.currentThread().interrupt();
		assertThat(watch.end(true)).containsExactly("alias.x");
		assertThat(Thread.interrupted()).isTrue();
		assertThat(config()).doesNotContain("evil");
	}

	@Test
	void rootOfLostCommandIsWatchedOn() throws IOException {
		makeRepository();
		assertThat(begin().end(false)).isEmpty();
		shell("echo '[alias]x = evil' >> .git/config");
		assertThat(begin().end(true)).containsExactly("alias.x");
		assertThat(records()).hasSize(1);
	}

	@Test
	void commandsOfAnotherProcessAreNotTrusted() throws Exception {
		makeRepository();
		Process other = program("waiting");
		assertThat(other.getInputStream().read()).isEqualTo('.');
		shell("echo '[alias]x = evil' >> .git/config");
		assertThat(begin().end(true)).containsExactly("alias.x");
		other.getOutputStream().close();
		assertThat(other.waitFor()).isEqualTo(9);
	}

	@Test
	void recordIsRemovedAtTheEnd() throws IOException {
		makeRepository();
		Watch watch = begin();
		assertThat(records()).hasSize(1);
		watch.end(true);
		assertThat(records()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void checkIsMadeUpForAfterTheJvmWasKilled(boolean atStart) throws Exception {
		makeRepository();
		assertThat(program("changed").waitFor()).isEqualTo(9);
		assertThat(config()).contains("evil");
		if (atStart) {
			this.guard.recover();
		}
		else {
			assertThat(begin().end(true)).isEmpty();
		}
		assertThat(config()).isEqualTo(OWNED);
		assertThat(records()).isEmpty();
	}

	@Test
	void checkThatCannotBeMadeUpForStopsCommandsInItsRootOnly() throws Exception {
		makeRepository();
		assertThat(program("changed").waitFor()).isEqualTo(9);
		Path other = Files.createDirectory(this.temp.resolve("other"));
		Path moved = Files.move(this.root, this.temp.resolve("moved"));
		this.guard.recover();
		Files.createDirectory(this.root);
		assertThat(this.guard.begin(List.of(other), PATHS, true).end(true)).isEmpty();
		assertThatExceptionOfType(IOException.class).isThrownBy(this::begin);
		Files.delete(this.root);
		Files.move(moved, this.root);
		assertThat(begin().end(true)).isEmpty();
		assertThat(config()).isEqualTo(OWNED);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 8 })
	void recordOfAMissingRootIsKeptForAWeek(int days) throws Exception {
		makeRepository();
		assertThat(program("changed").waitFor()).isEqualTo(9);
		Path moved = Files.move(this.root, this.temp.resolve("moved"));
		Files.setLastModifiedTime(records().get(0), FileTime.from(Instant.now().minus(Duration.ofDays(days))));
		this.guard.recover();
		assertThat(records()).hasSize((days < 7) ? 1 : 0);
		Files.move(moved, this.root);
		Watch watch = begin();
		assertThat(config()).matches((config) -> config.equals(OWNED) == (days < 7));
		watch.end(true);
	}

	@Test
	void endOfAWorkspaceIsNoFailure() throws IOException {
		makeRepository();
		Watch watch = begin();
		shell("echo '[alias]x = evil' >> .git/config");
		Path moved = Files.move(this.root, this.temp.resolve("moved"));
		assertThat(watch.end(true)).isEmpty();
		Files.move(moved, this.root);
		begin().end(true);
		assertThat(config()).isEqualTo(OWNED);
		assertThat(records()).isEmpty();
	}

	@Test
	void damagedRecordStopsCommandsInItsRootOnly() throws Exception {
		makeRepository();
		assertThat(program("changed").waitFor()).isEqualTo(9);
		Files.writeString(records().get(0), "damaged");
		this.guard.recover();
		assertThatExceptionOfType(IOException.class).isThrownBy(this::begin).withMessageContaining("damaged");
		Path other = Files.createDirectory(this.temp.resolve("other"));
		assertThat(this.guard.begin(List.of(other), PATHS, true).end(true)).isEmpty();
		Files.delete(records().get(0));
		assertThat(begin().end(true)).isEmpty();
	}

}
