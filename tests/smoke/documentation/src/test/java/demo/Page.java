package demo;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * A page of the documentation of the repository, with its samples.
 */
record Page(String text) {

	private static final Pattern SAMPLE = Pattern.compile("(?ms)^```(\\w+)\\n(.*?)^```$");

	static Page of(String name) throws IOException {
		return new Page(Files.readString(Path.of("../../..").resolve(name)));
	}

	/**
	 * Returns the samples of a language that contain a text.
	 */
	List<String> samples(String language, String containing) {
		List<String> found = SAMPLE.matcher(this.text)
			.results()
			.filter((match) -> match.group(1).equals(language))
			.map((MatchResult match) -> match.group(2))
			.filter((sample) -> sample.contains(containing))
			.toList();
		if (found.isEmpty()) {
			throw new IllegalStateException("No " + language + " sample contains '" + containing + "'");
		}
		return found;
	}

	/**
	 * Compiles a source file against the class path of this project, and other classes.
	 */
	static URLClassLoader compile(Path directory, String className, String source, Path... others) throws IOException {
		DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
		JavaFileObject file = new SimpleJavaFileObject(URI.create("string:///" + className.replace('.', '/') + ".java"),
				JavaFileObject.Kind.SOURCE) {
			@Override
			public CharSequence getCharContent(boolean ignoreEncodingErrors) {
				return source;
			}
		};
		List<String> options = List.of("-parameters", "-d", directory.toString(), "-cp",
				Stream.concat(Stream.of(System.getProperty("java.class.path")), Stream.of(others).map(Path::toString))
					.collect(Collectors.joining(File.pathSeparator)));
		if (!ToolProvider.getSystemJavaCompiler().getTask(null, null, problems, options, null, List.of(file)).call()) {
			throw new IllegalStateException(problems.getDiagnostics().toString());
		}
		return new URLClassLoader(new URL[] { directory.toUri().toURL() }, Page.class.getClassLoader());
	}

}
