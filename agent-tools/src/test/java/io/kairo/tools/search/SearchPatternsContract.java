package io.kairo.tools.search;

import java.util.List;
import java.util.Map;

import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListOptions;
import io.kairo.tools.file.ListTool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Contract of the patterns of the List, Glob and Grep tools for every store.
 */
abstract class SearchPatternsContract {

	final ToolCatalog catalog = ToolCatalog
		.of(List.of(new ListTool(ListOptions.defaults()), new InfoTool(InfoOptions.defaults()),
				new GlobTool(GlobOptions.defaults()), new GrepTool(GrepOptions.defaults())), List.of());

	ToolContext context;

	/**
	 * Opens an empty workspace.
	 */
	abstract ToolContext open();

	@BeforeEach
	void fill() {
		this.context = open();
		write("src/Main.java", "class Main {\n\tint foo;\n}\n");
		write("src/deep/Other.java", "class Other {\n\tint Foo;\n\tint foo;\n}\n");
		write("readme.md", "about foo\nand more\n");
		write(".env", "foo=1\n");
		write(".gitignore", "build/\n");
		write("build/Main.class", "foo\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "app/[slug]/[[...rest]]/a{b}.txt", "app/[slug]/**/*.txt", "**/[slug]/**/a{b}.txt",
			"app/[slug]/[[...rest]]/*.{txt,md}", "a{b}.txt" })
	void globFindsNamesThatLookLikePatterns(String pattern) {
		write("app/[slug]/[[...rest]]/a{b}.txt", "foo\n");
		assertThat(call("Glob", Map.of("pattern", pattern)).text())
			.startsWith("app/[slug]/[[...rest]]/a{b}.txt\n(1 of 1 file");
	}

	@Test
	void globWithMistakeFindsNameThatIsSpelledLikeIt() {
		assertThat(call("Glob", Map.of("pattern", "app/[user-id]/*.js")).text()).contains("range that ends");
		write("app/[user-id]/x.js", "foo\n");
		assertThat(call("Glob", Map.of("pattern", "app/[user-id]/*.js")).text()).startsWith("app/[user-id]/x.js\n");
		assertThat(call("Grep", Map.of("pattern", "foo", "glob", "app/[user-id]/*.js")).text())
			.startsWith("app/[user-id]/x.js\n");
	}

	@Test
	void globsMaySeparateByCommaOrSpace() {
		for (String globs : List.of("*.java,*.md", "*.java, *.md", "src/*.java src/deep/*.java *.md,!none.md")) {
			assertThat(call("Glob", Map.of("pattern", globs)).text()).as(globs).contains("(3 of 3 files");
			assertThat(call("Grep", Map.of("pattern", "foo", "glob", globs)).text()).as(globs).contains("(3 files");
		}
		assertThat(call("Grep", Map.of("pattern", "foo", "glob", "*.java,!Other.java")).text())
			.startsWith("src/Main.java\n(1 file");
		write("Shot 9.22, late.png", "foo\n");
		assertThat(call("Glob", Map.of("pattern", "Shot 9.22, late.png")).text()).contains("(1 of 1 file");
	}

	@ParameterizedTest
	@ValueSource(strings = { "src\\Main.java", "\\w+.java", "src/[\\d]" })
	void globRejectsUnknownEscape(String glob) {
		assertThat(call("Glob", Map.of("pattern", glob)).text()).startsWith("invalid_arguments")
			.contains("which is no escape (position");
		assertThat(call("Grep", Map.of("pattern", "foo", "glob", glob)).text()).startsWith("invalid_arguments");
	}

	@ParameterizedTest
	@CsvSource({ "\\<Ma,src/Main.java", "ain\\>,src/Main.java", "\\<foo\\>,readme.md", "\\<b\\>x\\</b\\>,page.html",
			"List\\<b\\>,page.html" })
	void grepFindsEdgesOfWords(String pattern, String file) {
		write("page.html", "<b>x</b> List<b>\n");
		assertThat(call("Grep", Map.of("pattern", pattern)).text()).startsWith(file + "\n");
	}

	@Test
	void grepExplainsEscapedBar() {
		assertThat(call("Grep", Map.of("pattern", "foo\\|bar")).text())
			.startsWith("(no matches; \\| is the character |: write | between alternatives");
	}

	@Test
	void listAndGlobMarkLookAlikeCharacters() {
		write("shots/9.22\u202fPM.png", "x");
		write("shots/na\u00efve \u0915\u093f.png", "x");
		write("shots/2024\u20132025.png", "x");
		String note = "; look-alike characters in 2 names: ";
		assertThat(call("List", Map.of("path", "shots")).text())
			.endsWith(note + "'shots/2024\\u20132025.png', 'shots/9.22\\u202fPM.png')");
		assertThat(call("Glob", Map.of("pattern", "shots/*")).text()).contains(note, "'shots/9.22\\u202fPM.png'");
		assertThat(call("Glob", Map.of("pattern", "*.java")).text()).doesNotContain("look-alike");
	}

	final void write(String path, String text) {
		this.context.files().tryWriteFile(path, text).value();
	}

	final ToolResult call(String name, Map<String, Object> arguments) {
		return this.catalog.call(new ToolCall("1", name, arguments), this.context);
	}

}
