package io.kairo.workspace.local.repository;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Tests for {@link GitConfig}: it reads what the program {@code git} reads.
 */
class GitConfigTests {

	private static final List<String> PARTS = List.of("[core]", "[Core]\n", "[remote \"a b\"]\n", "[a.B]",
			"[x \"\\\"\"]", "[", "]", "key", "Key-1", " ", "\t", "=", "\n", "\r\n", "\"", "\\", "\\\n", "\\n", "#", ";",
			"value", "a b", "\u00E9", ".", "-", "url = x\n", "fsmonitor\n", "\r", "!evil", "1");

	@TempDir
	Path temp;

	@BeforeEach
	void requireGit() {
		assumeThat(Path.of("/usr/bin/git")).as("the program git").isExecutable();
	}

	/**
	 * Returns what Git reads, null if it refuses the file.
	 */
	private String read(String text) throws IOException {
		Path file = Files.write(this.temp.resolve("config"), text.getBytes(StandardCharsets.ISO_8859_1));
		Process git = new ProcessBuilder("/usr/bin/git", "config", "--file", file.toString(), "--list", "-z")
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		return (git.onExit().join().exitValue() == 0) ? output : null;
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static String list(GitConfig config) {
		return config.settings()
			.stream()
			.map((setting) -> setting.name() + ((setting.value() != null) ? "\n" + setting.value() : "") + "\0")
			.collect(Collectors.joining());
	}

	@ParameterizedTest
	@ValueSource(strings = { "[core]\n\tbare = false\n", "[core] fsmonitor = evil", "[Alias]\n S-t = \"!x # y\" ; z\n",
			"[remote \"or\\\"i\\\\gin\"]\r\n\turl = a\\\r\nb\r\n", "[a.B \"C\"]\nk", "\u00EF\u00BB\u00BF[a]\nk=v",
			"# [x]\n;y\n[a] ; c\n k = v  # c\n", "[a]\nk = \"x\"y \"z \" \n", "[a]\nk = \\t\\b\\n\\\\\\\"",
			"[a]\nk =\n", "", "\n\n", "[a]k=1[b]\n", "[a]\nk = a \"\" \n", "[a]\nk = \"\" b\n", "[a]\nk = v \\",
			"[a.B \"C.d\"]\nk = a \\\n b ; c\\\nl" })
	void settingsAreThoseOfGit(String text) throws IOException {
		GitConfig config = GitConfig.parse(bytes(text));
		assertThat(config).isNotNull();
		assertThat(list(config)).isEqualTo(read(text));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[a]\nk v\n", "[a\nk=v", "[a \"b]\nk=v", "[a]\nk = \"v\n", "[a]\nk = \\x", "[a]\n1=2",
			"[a b]\n", "[a \"b\" ]\n", "[a]\n=x", "[a \"b\nc\"]\n" })
	void malformedFileIsRefusedAsByGit(String text) throws IOException {
		assertThat(read(text)).isNull();
		assertThat(GitConfig.parse(bytes(text))).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "x = y\n[a]\nk", "[ \"b\"]\nk", "[.b]\nk", "[a]\nk = \u0000" })
	void fileThatGitWouldNotWriteIsRefused(String text) {
		assertThat(GitConfig.parse(bytes(text))).isNull();
	}

	@Test
	void randomFilesAreReadAsByGit() throws IOException {
		long seed = Long.getLong("kairo.random.seed", new Random().nextLong());
		Random random = new Random(seed);
		int accepted = 0;
		for (int i = 0; i < Integer.getInteger("kairo.random.configs", 200); i++) {
			StringBuilder text = new StringBuilder("[core]\n");
			for (int parts = random.nextInt(12); parts > 0; parts--) {
				text.append(PARTS.get(random.nextInt(PARTS.size())));
			}
			GitConfig config = GitConfig.parse(bytes(text.toString()));
			if (config != null) {
				accepted++;
				assertThat(list(config)).as("seed %d, %s", seed, text).isEqualTo(read(text.toString()));
				assertThat(list(config)).as("written, seed %d, %s", seed, text)
					.isEqualTo(read(new String(GitConfig.write(config.settings()), StandardCharsets.ISO_8859_1)));
			}
		}
		assertThat(accepted).isGreaterThan(20);
	}

	@ParameterizedTest
	@ValueSource(strings = { "[a]\nk = v\\\n w", "[a]\r\nk = v\r\n", "\u00EF\u00BB\u00BF[a]\nk", "[a.b]\nk = v\n",
			"[a]\nk = v\tw\n", "[a]k=v", "[a \"x\\y\"]\nk", "[a]\nk = \"\u0001\"", "[a]\n#\\\nk = v" })
	void fileThatReadersUnderstandDifferentlyIsNotPlain(String text) {
		GitConfig config = GitConfig.parse(bytes(text));
		assertThat(config).isNotNull();
		assertThat(config.plain()).isFalse();
		assertThat(GitConfig.parse(GitConfig.write(config.settings())).settings()).isEqualTo(config.settings());
	}

	@Test
	void fileWithLineThatGitCutsIsNotPlain() {
		assertThat(GitConfig.parse(bytes("[a]\n# " + "x".repeat(990) + "\n")).plain()).isTrue();
		assertThat(GitConfig.parse(bytes("[a]\n# " + "x".repeat(1000) + "\n")).plain()).isFalse();
	}

	@Test
	void fileThatGitWritesIsPlain() throws Exception {
		Path file = this.temp.resolve("plain");
		for (List<String> set : List.of(List.of("core.bare", "false"), List.of("remote.a.b.url", "x y # z"),
				List.of("branch.\u00E9\"\\.merge", "a\tb\nc\"\\ "), List.of("user.name", " Ann  B "))) {
			assertThat(new ProcessBuilder("/usr/bin/git", "config", "--file", file.toString(), set.get(0), set.get(1))
				.start()
				.waitFor()).isZero();
		}
		GitConfig config = GitConfig.parse(Files.readAllBytes(file));
		assertThat(config).isNotNull();
		assertThat(config.plain()).isTrue();
	}

	@Test
	void tooManySettingsAreRefused() {
		assertThat(GitConfig.parse(bytes("[a]\n" + "k\n".repeat(10_000)))).isNotNull();
		assertThat(GitConfig.parse(bytes("[a]\n" + "k\n".repeat(10_001)))).isNull();
	}

}
