package io.kairo.architecture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

import org.junit.jupiter.api.Test;

/**
 * Prints how many tests each module on the class path has run, and which were skipped for
 * which reason: the last lines of a build. Other modules may still be tested.
 */
class TestReport {

	private static final String REPORTS = "target/surefire-reports";

	private static final String CLASS_PATH = System.getProperty("surefire.test.class.path",
			System.getProperty("java.class.path"));

	private static final Pattern DESCRIPTION = Pattern.compile("due to: \\[(?:SKIPPED: )?(.*?)\\] *\n");

	private static final Pattern PREFIX = Pattern
		.compile("^[\\w.]+Exception: *\\s*(?:Assumption failed: |assumption was not met due to: *\\s*)?");

	private static final int LONGEST_REASON = 150;

	private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();

	@Test
	void print() throws Exception {
		StringBuilder report = new StringBuilder("Tests by module:\n");
		Path root = Repository.find().root();
		List<Path> modules;
		try (Stream<Path> directories = Files.walk(root, 2)) {
			modules = directories.filter((path) -> Files.isDirectory(path.resolve(REPORTS)))
				.filter((path) -> CLASS_PATH.contains(path + "/target/"))
				.sorted()
				.toList();
		}
		for (Path module : modules) {
			append(report, module, root.relativize(module).toString());
		}
		System.out.print(report);
	}

	private void append(StringBuilder report, Path module, String name) throws IOException, XMLStreamException {
		Map<String, Integer> skipped = new TreeMap<>();
		int run = 0;
		try (DirectoryStream<Path> files = Files.newDirectoryStream(module.resolve(REPORTS), "TEST-*.xml")) {
			for (Path file : files) {
				run += count(file, skipped);
			}
		}
		int all = skipped.values().stream().mapToInt(Integer::intValue).sum();
		report.append("%7d run, %5d skipped in %s%n".formatted(run - all, all, name));
		skipped.forEach((reason, count) -> report.append("%20d: %s%n".formatted(count, reason)));
	}

	/**
	 * Returns the number of tests in a report, and adds the reasons of those that were
	 * skipped.
	 */
	private int count(Path file, Map<String, Integer> skipped) throws IOException, XMLStreamException {
		int tests = 0;
		try (InputStream input = Files.newInputStream(file)) {
			XMLStreamReader reader = this.factory.createXMLStreamReader(input);
			while (reader.hasNext()) {
				if (reader.next() == XMLStreamReader.START_ELEMENT) {
					tests += reader.getLocalName().equals("testcase") ? 1 : 0;
					if (reader.getLocalName().equals("skipped")) {
						skipped.merge(reason(reader), 1, Integer::sum);
					}
				}
			}
		}
		if (tests == 0) {
			skipped.merge("all tests of a class", 1, Integer::sum);
		}
		return Math.max(tests, 1);
	}

	/**
	 * Returns the reason of a condition, or of an assumption: in brackets in its failure,
	 * or else its last words before the stack trace.
	 */
	private static String reason(XMLStreamReader skipped) throws XMLStreamException {
		String message = skipped.getAttributeValue(null, "message");
		String text = (message != null) ? message : skipped.getElementText().split("\n\tat ", 2)[0];
		Matcher matcher = DESCRIPTION.matcher(text);
		String reason = (matcher.find() ? matcher.group(1) : PREFIX.matcher(text).replaceFirst("")).strip()
			.lines()
			.findFirst()
			.orElse("no reason");
		return reason.substring(0, Math.min(reason.length(), LONGEST_REASON));
	}

}
