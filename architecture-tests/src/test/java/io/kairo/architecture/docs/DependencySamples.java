package io.kairo.architecture.docs;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Set;

import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import io.kairo.architecture.Repository;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

/**
 * Compares documented Maven dependencies with the modules of this repository. Each needs
 * a version, since applications import no BOM that manages it.
 */
final class DependencySamples implements SampleChecker {

	private final Repository repository;

	private final Document parent;

	DependencySamples(Repository repository) {
		this.repository = repository;
		this.parent = parse(repository.read("pom.xml"));
	}

	@Override
	public Set<String> languages() {
		return Set.of("xml");
	}

	@Override
	public List<String> check(Sample sample) {
		Document document;
		try {
			document = parse(sample.text());
		}
		catch (IllegalArgumentException ex) {
			return List.of(String.valueOf(ex.getMessage()));
		}
		Element dependency = document.getDocumentElement();
		if (!dependency.getTagName().equals("dependency")) {
			return List.of("the element must be a <dependency>, not a <" + dependency.getTagName() + ">");
		}
		String artifact = child(dependency, "artifactId");
		if (!child(dependency, "groupId").equals(child(this.parent.getDocumentElement(), "groupId"))
				|| !publishes(artifact)) {
			return List.of("no module publishes " + child(dependency, "groupId") + ":" + artifact);
		}
		String version = child(this.parent.getDocumentElement(), "version");
		return child(dependency, "version").equals(version) ? List.of() : List.of("the version must be " + version);
	}

	private boolean publishes(String artifact) {
		return this.repository.files((path) -> path.endsWith("pom.xml") && path.getNameCount() == 2)
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
