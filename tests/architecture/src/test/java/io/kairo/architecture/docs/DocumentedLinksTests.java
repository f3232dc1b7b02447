package io.kairo.architecture.docs;

import java.io.StringReader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import javax.xml.parsers.DocumentBuilderFactory;

import io.kairo.architecture.Repository;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the links, including anchors, of all Markdown pages.
 */
class DocumentedLinksTests {

	private final Repository repository = Repository.find();

	private final List<MarkdownPage> pages = MarkdownPage.all(this.repository);

	@Test
	void linksReferToExistingFilesAndHeadings() {
		assertThat(this.pages).isNotEmpty();
		assertThat(broken(this.pages, (path) -> Files.exists(this.repository.root().resolve(path)))).isEmpty();
	}

	@Test
	void pagesAreReachableFromReadme() {
		Map<String, MarkdownPage> left = new HashMap<>();
		this.pages.forEach((page) -> left.put(page.path(), page));
		Deque<MarkdownPage> next = new ArrayDeque<>(List.of(left.remove("README.md")));
		while (!next.isEmpty()) {
			MarkdownPage page = next.pop();
			for (String link : page.links()) {
				String target = target(page, link);
				left.keySet()
					.stream()
					.filter((path) -> path.equals(target)
							|| Path.of(path).getParent() != null && Path.of(path).getParent().equals(Path.of(target)))
					.toList()
					.forEach((path) -> next.add(left.remove(path)));
			}
		}
		assertThat(left.keySet()).isEmpty();
	}

	@Test
	void picturesAreWellFormedWithTextAlternativeAndDarkMode() {
		assertThat(this.repository.files((path) -> path.toString().endsWith(".svg"))).isNotEmpty()
			.allSatisfy((path) -> {
				String picture = this.repository.read(path.toString());
				DocumentBuilderFactory.newInstance()
					.newDocumentBuilder()
					.parse(new InputSource(new StringReader(picture)));
				assertThat(picture).contains("<title", "<desc", "prefers-color-scheme: dark");
			});
	}

	@Test
	void brokenLinksAreDetected() {
		MarkdownPage page = new MarkdownPage("docs/page.md", """
				# A page
				[file](no-such.md), [self](#a-page), [heading](#no-such), [other](../README.md#try-it),
				[text](https://example.org), [plain](http://example.org), `[code](no.md)`
				""");
		MarkdownPage readme = new MarkdownPage("README.md", "# Kairo\n");
		assertThat(broken(List.of(page, readme), "README.md"::equals)).containsExactly("docs/page.md: no-such.md",
				"docs/page.md: #no-such", "docs/page.md: ../README.md#try-it", "docs/page.md: http://example.org");
	}

	@Test
	void anchorsMatchThoseOfGitHub() {
		MarkdownPage page = new MarkdownPage("page.md", """
				# `process`: what it is, and what it is not
				## Links, and files that are no files
				## Links, and files that are no files
				```yaml
				# a comment
				```
				""");
		assertThat(page.anchors()).containsExactly("process-what-it-is-and-what-it-is-not",
				"links-and-files-that-are-no-files", "links-and-files-that-are-no-files-1");
	}

	private static List<String> broken(List<MarkdownPage> pages, Predicate<String> exists) {
		Map<String, Set<String>> anchors = new HashMap<>();
		pages.forEach((page) -> anchors.put(page.path(), new HashSet<>(page.anchors())));
		List<String> broken = new ArrayList<>();
		for (MarkdownPage page : pages) {
			for (String link : page.links()) {
				if (!(URI.create(link).isAbsolute() ? link.startsWith("https://")
						: targetExists(page, link, anchors, exists))) {
					broken.add(page.path() + ": " + link);
				}
			}
		}
		return broken;
	}

	private static boolean targetExists(MarkdownPage page, String link, Map<String, Set<String>> anchors,
			Predicate<String> exists) {
		String target = target(page, link);
		String anchor = URI.create(link).getFragment();
		if (anchor != null) {
			return anchors.getOrDefault(target, Set.of()).contains(anchor);
		}
		return exists.test(target);
	}

	private static String target(MarkdownPage page, String link) {
		return link.startsWith("#") ? page.path() : URI.create(page.path()).resolve(link).getPath();
	}

}
