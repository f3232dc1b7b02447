package io.kairo.tools.edit;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.tools.ToolResult;
import io.kairo.tools.file.FileToolsFixture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for edits of {@link EditTool} whose text differs slightly from the file.
 */
class EditForgivenessTests {

	private FileToolsFixture tools;

	@BeforeEach
	void openWorkspace(@TempDir Path directory) {
		this.tools = new FileToolsFixture(directory);
	}

	@Test
	void editKeepsLineEndsOfFile() throws Exception {
		this.tools.put("a.txt", "one\r\ntwo\r\nthree\r\n");
		ToolResult result = this.tools.edit("a.txt", "one\ntwo\n", "1\n1.5\n2\n");
		assertThat(this.tools.get("a.txt")).isEqualTo("1\r\n1.5\r\n2\r\nthree\r\n");
		assertThat(result.data()).containsEntry("match", "line_ends");
	}

	@Test
	void newLinesGetLineEndsOfSurroundingLines() throws Exception {
		this.tools.put("a.txt", "one\r\ntwo\nthree\nfour\n");
		this.tools.edit("a.txt", "one", "1\n1.5");
		this.tools.edit("a.txt", "three", "3\r\n3.5");
		assertThat(this.tools.get("a.txt")).isEqualTo("1\r\n1.5\r\ntwo\n3\n3.5\nfour\n");
	}

	@Test
	void unchangedLinesKeepMixedLineEnds() throws Exception {
		this.tools.put("a.txt", "a\r\nb\nc\r\nd\n");
		this.tools.edit("a.txt", "a\nb\nc\nd\n", "a\nB\nc\nd\n");
		assertThat(this.tools.get("a.txt")).isEqualTo("a\r\nB\nc\r\nd\n");
	}

	@Test
	void leadingLineFeedIncludesItsCarriageReturn() throws Exception {
		this.tools.put("a.txt", "a\r\nb\r\n");
		this.tools.edit("a.txt", "\nb", " b");
		assertThat(this.tools.get("a.txt")).isEqualTo("a b\r\n");
	}

	@Test
	void lineNumbersOfReadAreRemoved() throws Exception {
		this.tools.put("a.txt", "one\n  two\nthree\n");
		ToolResult result = this.tools.edit("a.txt", "     1\tone\n     2\t  two", "     1\tone\n     2\t  2");
		assertThat(this.tools.get("a.txt")).isEqualTo("one\n  2\nthree\n");
		assertThat(result.data()).containsEntry("match", "line_numbers");
		assertThat(result.text()).contains("without the line numbers");
	}

	@Test
	void numbersInFileAreNotRemoved() throws Exception {
		this.tools.put("a.tsv", "1\tone\n2\ttwo\n");
		this.tools.edit("a.tsv", "1\tone\n2\ttwo", "1\tone\n2\t2");
		assertThat(this.tools.get("a.tsv")).isEqualTo("1\tone\n2\t2\n");
	}

	@Test
	void trailingWhitespaceMayDifferAndIsKept() throws Exception {
		this.tools.put("a.txt", "one  \ntwo\t\nthree\n");
		ToolResult result = this.tools.edit("a.txt", "one\ntwo\nthree", "one\ntwo\n3");
		assertThat(this.tools.get("a.txt")).isEqualTo("one  \ntwo\t\n3\n");
		assertThat(result.data()).containsEntry("match", "trailing_space");
	}

	@Test
	void trailingWhitespaceDoesNotMatchOtherText() throws Exception {
		this.tools.put("a.txt", "foobar\n");
		assertThat(this.tools.edit("a.txt", "foo ", "x").error().code()).isEqualTo("no_match");
	}

	@Test
	void uniformIndentationMayDifferAndAppliesToNewLines() throws Exception {
		this.tools.put("a.txt", "class A {\n\t\tif (x) {\n\n\t\t\ty();\n\t\t}\n}\n");
		ToolResult result = this.tools.edit("a.txt", "if (x) {\n\n\ty();\n}", "if (x) {\n\n\tz();\n\tw();\n}");
		assertThat(this.tools.get("a.txt")).isEqualTo("class A {\n\t\tif (x) {\n\n\t\t\tz();\n\t\t\tw();\n\t\t}\n}\n");
		assertThat(result.data()).containsEntry("match", "indentation");
	}

	@Test
	void spacesMatchTabIndentation() throws Exception {
		this.tools.put("a.txt", "a {\n\tb {\n\t\tc\n\t}\n}\n");
		this.tools.edit("a.txt", "    b {\n        c\n    }\n", "    b {\n        d\n        e\n    }\n");
		assertThat(this.tools.get("a.txt")).isEqualTo("a {\n\tb {\n\t\td\n\t\te\n\t}\n}\n");
	}

	@Test
	void newLinesHaveTabsLikeFile() throws Exception {
		this.tools.put("a.py", "class A:\n\tdef f(self):\n\t\tx()\n\t\ty()\n");
		this.tools.edit("a.py", "        x()\n        y()", "        if z:\n            x()\n        y()");
		assertThat(this.tools.get("a.py")).isEqualTo("class A:\n\tdef f(self):\n\t\tif z:\n\t\t\tx()\n\t\ty()\n");
		this.tools.edit("a.py", "if z:\n    x()\ny()", "if z:\n    while w:\n        x()\ny()");
		assertThat(this.tools.get("a.py"))
			.isEqualTo("class A:\n\tdef f(self):\n\t\tif z:\n\t\t\twhile w:\n\t\t\t\tx()\n\t\ty()\n");
	}

	@Test
	void newLinesThatWouldMixTabsAndSpacesAreRefused() throws Exception {
		String content = "class A:\n\tdef f(self):\n\t\tx()\n\t\ty()\n";
		this.tools.put("a.py", content);
		ToolResult result = this.tools.edit("a.py", "     x()\n     y()",
				"     if z:\n        x()\n      # odd\n     y()");
		assertThat(result.error().code()).isEqualTo("no_match");
		assertThat(this.tools.get("a.py")).isEqualTo(content);
	}

	@Test
	void differenceShowsCombiningMarks() throws Exception {
		this.tools.put("a.md", "a cafe\u0301 in town\n");
		assertThat(this.tools.edit("a.md", "a caf\u00E9 in town", "x").text()).contains("(U+0065 U+0301)", "(U+00E9)");
	}

	@Test
	void nonUniformIndentationDoesNotMatch() throws Exception {
		this.tools.put("a.py", "if x:\n    a()\n  b()\n");
		assertThat(this.tools.edit("a.py", "\ta()\n\tb()\n", "\tc()\n").error().code()).isEqualTo("no_match");
	}

	@Test
	void lookAlikeCharactersMatchAndAreKeptWhereUnchanged() throws Exception {
		this.tools.put("a.txt", "say “hi” – don’t go\u00A0now\n");
		ToolResult result = this.tools.edit("a.txt", "say \"hi\" - don't go now", "say \"hi\" - don't stay now");
		assertThat(this.tools.get("a.txt")).isEqualTo("say “hi” – don’t stay\u00A0now\n");
		assertThat(result.data()).containsEntry("match", "look_alikes");
	}

	@ParameterizedTest
	@ValueSource(strings = { "UTF-8", "windows-1252" })
	void trailingNoBreakSpaceMissingFromFileDoesNotShiftColumns(String charset) throws Exception {
		this.tools.put("a.txt", "f\u00FCr\nfoo\nbar\n".getBytes(charset));
		ToolResult result = this.tools.edit("a.txt", "foo\u00A0\nbar", "foo\u00A0X\nbar");
		assertThat(result.data()).containsEntry("match", "look_alikes");
		assertThat(new String(this.tools.bytes("a.txt"), charset)).isEqualTo("f\u00FCr\nfoo\u00A0X\nbar\n");
	}

	@Test
	void trailingSpaceIsKeptInLookAlikeMatch() throws Exception {
		this.tools.put("a.txt", "one\u00A0two\nfoo bar\n");
		this.tools.edit("a.txt", "one two\nfoo ", "one 2\nfoo ");
		assertThat(this.tools.get("a.txt")).isEqualTo("one\u00A02\nfoo bar\n");
	}

	@Test
	void ambiguousInexactMatchesAreRejectedEvenWithReplaceAll() throws Exception {
		this.tools.put("a.txt", "  foo\n  bar\n\n    foo\n    bar\n");
		ToolResult result = this.tools.edit("a.txt", "foo\nbar", "x", Map.of("replace_all", true));
		assertThat(result.error().code()).isEqualTo("several_matches");
		assertThat(result.text()).contains("lines 1, 4");
	}

	@Test
	void replaceAllMatchesOtherLineEnds() throws Exception {
		this.tools.put("a.txt", "a\r\nb\r\nx\r\na\r\nb\r\n");
		this.tools.edit("a.txt", "a\nb", "c\nd", Map.of("replace_all", true));
		assertThat(this.tools.get("a.txt")).isEqualTo("c\r\nd\r\nx\r\nc\r\nd\r\n");
	}

	@Test
	void blankTextMustMatchExactly() throws Exception {
		this.tools.put("a.txt", "a\n\n\nb\n");
		assertThat(this.tools.edit("a.txt", "  \n  \n  ", "x").error().code()).isEqualTo("no_match");
	}

	@Test
	void similarTextIsShownButNotEdited() throws Exception {
		String content = FileToolsFixture.lines(5) + "\tint total = compute(first, second);\n"
				+ FileToolsFixture.lines(5);
		this.tools.put("a.txt", content);
		ToolResult result = this.tools.edit("a.txt", "\tint total = compute(first, third);\n", "x\n");
		assertThat(result.error().code()).isEqualTo("no_match");
		assertThat(result.text()).contains("     6\t\tint total = compute(first, second);")
			.contains("line 6, column 29: the file has 's', old_string has 't'");
		assertThat(this.tools.get("a.txt")).isEqualTo(content);
	}

	@Test
	void editAlreadyMadeIsReported() throws Exception {
		this.tools.put("a.txt", "one\nnew text\n");
		assertThat(this.tools.edit("a.txt", "old text", "new text").text()).contains("new_string is there, in line 2");
	}

}
