package io.kairo.architecture.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

import com.sun.source.util.JavacTask;

/**
 * A Java sample as a source file. A sample that declares types is a file, with imports
 * added where it has neither a package nor imports of its own; statements become the body
 * of a method {@code run}, and members those of a class.
 */
final class JavaSource extends SimpleJavaFileObject {

	private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

	private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

	private static final Pattern TYPE = Pattern.compile("(?m)^(?:\\w+ )*(?:class|record|interface|enum) (\\w+)");

	private final Sample sample;

	private final String className;

	private final String text;

	private final int firstLine;

	private JavaSource(Sample sample, String className, String own, String head, String body, String tail) {
		super(URI.create("string:///" + className.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE);
		this.sample = sample;
		this.className = className;
		this.text = head + body + tail;
		this.firstLine = (int) (head.lines().count() - own.lines().count());
	}

	/**
	 * Creates the source file of a sample.
	 * @param sample the sample
	 * @param earlier the text of the samples that it continues
	 * @param companion the package of samples of the page that are whole files; empty if
	 * there are none
	 * @param imports the imports of samples without a package and imports of their own
	 * @throws IllegalArgumentException if the sample is not valid Java
	 */
	static JavaSource of(Sample sample, String earlier, String companion, String imports) {
		Matcher ownPackage = PACKAGE.matcher(sample.text());
		boolean whole = ownPackage.find();
		String packageName = whole ? ownPackage.group(1) : !companion.isEmpty() ? companion
				: "sample." + sample.page().replaceAll("[^a-z0-9]", "") + sample.line();
		String fragment = "Sample" + sample.line();
		String name = packageName + "." + fragment;
		String own = whole ? "" : ownImports(sample.text());
		String head = whole ? "" : "package " + packageName + ";\n" + (own.isEmpty() ? imports : own);
		String text = sample.text().substring(own.length());
		Matcher type = TYPE.matcher(text);
		JavaSource file = new JavaSource(sample, packageName + "." + (type.find() ? type.group(1) : fragment), own,
				head, text, "");
		JavaSource statements = new JavaSource(sample, name, own, head + "class " + fragment + " {\nvoid run("
				+ String.join(", ", sample.given()) + ") throws Exception {\n" + earlier, text, "}\n}\n");
		JavaSource members = new JavaSource(sample, name, own,
				head + "class " + fragment + " {\n" + fields(sample.given()), text, "}\n");
		return List.of(file, statements, members)
			.stream()
			.filter(JavaSource::parses)
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException("neither types nor statements nor members of a class"));
	}

	/**
	 * Returns the imports at the beginning of a sample, with the empty lines after them.
	 */
	private static String ownImports(String text) {
		return text.lines()
			.takeWhile((line) -> line.startsWith("import ") || line.isEmpty())
			.map((line) -> line + "\n")
			.collect(Collectors.joining());
	}

	/**
	 * Returns the package that a sample declares; empty if it declares none.
	 */
	static String packageOf(Sample sample) {
		Matcher matcher = PACKAGE.matcher(sample.text());
		return matcher.find() ? matcher.group(1) : "";
	}

	private static String fields(List<String> given) {
		StringBuilder fields = new StringBuilder();
		given.forEach((field) -> fields.append(field).append(";\n"));
		return fields.toString();
	}

	private boolean parses() {
		DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
		JavacTask task = (JavacTask) COMPILER.getTask(null, null, diagnostics, List.of("--source", "17", "-proc:none"),
				null, List.of(this));
		try {
			task.parse();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return diagnostics.getDiagnostics().stream().noneMatch((one) -> one.getKind() == Diagnostic.Kind.ERROR);
	}

	Sample sample() {
		return this.sample;
	}

	/**
	 * Returns the name of the class that a fragment became, or that a file declares
	 * first.
	 */
	String className() {
		return this.className;
	}

	/**
	 * Converts a line number of the source file to the line number of the page.
	 */
	long pageLine(long sourceLine) {
		return this.sample.line() + sourceLine - this.firstLine;
	}

	@Override
	public CharSequence getCharContent(boolean ignoreEncodingErrors) {
		return this.text;
	}

}
