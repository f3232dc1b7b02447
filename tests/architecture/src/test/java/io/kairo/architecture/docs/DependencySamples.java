package io.kairo.architecture.docs;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import io.kairo.architecture.Repository;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Compares documented dependencies of Maven and Gradle with the modules of this
 * repository. The BOM is imported with the version of this repository; all other
 * dependencies are managed by it.
 */
final class DependencySamples implements SampleChecker {

	private static final String BOM = "kairo-bom";

	private static final Pattern GRADLE = Pattern.compile("\\w+\\(\"([\\w.]+):([\\w-]+)\"\\)");

	private final Repository repository;

	private final Document parent;

	DependencySamples(Repository repository) {
		this.repository = repository;
		this.parent = parse(repository.read("pom.xml"));
	}

	@Override
	public Set<String> languages() {
		return Set.of("xml", "kotlin");
	}

	@Override
	public List<String> check(Sample sample) {
		return sample.language().equals("kotlin") ? checkGradle(sample.text()) : checkMaven(sample);
	}

	private List<String> checkGradle(String script) {
		List<String> lines = script.lines().filter((line) -> line.contains("\"")).toList();
		if (lines.isEmpty()) {
			return List.of("there is no dependency");
		}
		String group = child(this.parent.getDocumentElement(), "groupId");
		String bom = "implementation(platform(\"" + group + ":" + BOM + ":"
				+ child(this.parent.getDocumentElement(), "version") + "\"))";
		return lines.stream().map(String::strip).filter((line) -> !line.equals(bom)).filter((line) -> {
			Matcher notation = GRADLE.matcher(line);
			return !notation.matches() || !notation.group(1).equals(group) || !publishes(notation.group(2));
		})
			.map((line) -> "neither " + bom + " nor a dependency without a version on a published module: " + line)
			.toList();
	}

	private List<String> checkMaven(Sample sample) {
		Document document;
		try {
			document = parse("<sample>" + sample.text() + "</sample>");
		}
		catch (IllegalArgumentException ex) {
			return List.of(String.valueOf(ex.getMessage()));
		}
		NodeList dependencies = document.getElementsByTagName("dependency");
		if (dependencies.getLength() == 0) {
			return List.of("there is no <dependency>");
		}
		return IntStream.range(0, dependencies.getLength())
			.mapToObj((index) -> check((Element) dependencies.item(index)))
			.flatMap(Optional::stream)
			.toList();
	}

	private Optional<String> check(Element dependency) {
		String artifact = child(dependency, "artifactId");
		if (!child(dependency, "groupId").equals(child(this.parent.getDocumentElement(), "groupId"))
				|| !publishes(artifact)) {
			return Optional.of("no module publishes " + child(dependency, "groupId") + ":" + artifact);
		}
		if (!artifact.equals(BOM)) {
			return child(dependency, "version").isEmpty() ? Optional.empty()
					: Optional.of(artifact + " must have no version, which " + BOM + " manages");
		}
		if (!child(dependency, "type").equals("pom") || !child(dependency, "scope").equals("import")) {
			return Optional.of(BOM + " must have the type pom and the scope import");
		}
		String version = child(this.parent.getDocumentElement(), "version");
		return child(dependency, "version").equals(version) ? Optional.empty()
				: Optional.of("the version must be " + version);
	}

	private boolean publishes(String artifact) {
		return this.repository.files((path) -> path.endsWith("pom.xml") && path.getNameCount() > 1)
			.stream()
			.map((path) -> this.repository.read(path.toString()))
			.filter((pom) -> !pom.contains("<maven.deploy.skip>true"))
			.anyMatch((pom) -> child(parse(pom).getDocumentElement(), "artifactId").equals(artifact));
	}

	private static String child(Element parent, String name) {
		for (int i = 0; i < parent.getChildNodes().getLength(); i++) {
			if (parent.getChildNodes().item(i) instanceof Element child && child.getTagName().equals(name)) {
				return child.getTextContent().strip();
			}
		}
		return "";
	}

	private static Document parse(String xml) {
		try {
			DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
			builder.setErrorHandler(new DefaultHandler());
			return builder.parse(new InputSource(new StringReader(xml)));
		}
		catch (SAXException | IOException ex) {
			throw new IllegalArgumentException("invalid XML: " + ex.getMessage(), ex);
		}
		catch (ParserConfigurationException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
