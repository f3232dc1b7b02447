package io.kairo.architecture.parity;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/**
 * An element of a {@code pom.xml} file.
 *
 * @param file the path of the file, for messages
 * @param element the element
 */
record Pom(String file, Element element) {

	/**
	 * Parses a file.
	 * @return its {@code project} element
	 */
	static Pom parse(String file, String text) {
		try {
			DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
			factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
			factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
			return new Pom(file,
					factory.newDocumentBuilder().parse(new InputSource(new StringReader(text))).getDocumentElement());
		}
		catch (ParserConfigurationException | SAXException | IOException ex) {
			throw new IllegalStateException(file + " cannot be parsed", ex);
		}
	}

	String name() {
		return this.element.getTagName();
	}

	String text() {
		return this.element.getTextContent().strip();
	}

	/**
	 * Returns the child elements.
	 */
	List<Pom> children() {
		NodeList nodes = this.element.getChildNodes();
		return IntStream.range(0, nodes.getLength())
			.mapToObj(nodes::item)
			.filter(Element.class::isInstance)
			.map((node) -> new Pom(this.file, (Element) node))
			.toList();
	}

	/**
	 * Returns all elements at a path of element names.
	 */
	List<Pom> all(String... names) {
		List<Pom> found = List.of(this);
		for (String name : names) {
			found = found.stream()
				.flatMap((pom) -> pom.children().stream())
				.filter((child) -> child.name().equals(name))
				.toList();
		}
		return found;
	}

	/**
	 * Returns the text of the first child with the name.
	 */
	Optional<String> optional(String name) {
		return all(name).stream().map(Pom::text).findFirst();
	}

	/**
	 * Returns the text of the first element at a path of element names.
	 */
	String required(String... names) {
		return all(names).stream()
			.map(Pom::text)
			.findFirst()
			.orElseThrow(() -> unsupported("has no " + String.join("/", names)));
	}

	/**
	 * Fails if there is a child with another name, which the comparison would ignore.
	 */
	void allowOnly(String... names) {
		for (Pom child : children()) {
			if (!Arrays.asList(names).contains(child.name())) {
				throw unsupported("has <" + child.name() + ">, which the comparison of the builds does not support");
			}
		}
	}

	IllegalStateException unsupported(String problem) {
		return new IllegalStateException(this.file + ": <" + name() + "> " + problem + ": " + text());
	}

}
