package io.kairo.workspace.git;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.kairo.workspace.local.disk.tree.OwnedTree;

/**
 * Repositories that are created once per JVM and copied for each test: creating one runs
 * about fifty processes, copying it runs none. Safe for use by several threads.
 */
final class RepositoryTemplates implements AutoCloseable {

	private final Path directory;

	private final Map<Class<?>, TestRepository> templates = new ConcurrentHashMap<>();

	RepositoryTemplates() {
		try {
			this.directory = Files.createTempDirectory("kairo-git-templates").toRealPath();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns a copy of the repository that most tests use.
	 * @param parent the directory in which the copy is created
	 */
	TestRepository copyTo(Path parent) throws IOException {
		return copyTo(parent, TestRepository.class, (repository) -> {
		});
	}

	/**
	 * Returns a copy of a variant of that repository.
	 * @param parent the directory in which the copy is created
	 * @param owner the test class that the variant belongs to
	 * @param variation changes the repository, once per JVM
	 */
	TestRepository copyTo(Path parent, Class<?> owner, Variation variation) throws IOException {
		TestRepository template = this.templates.computeIfAbsent(owner, (key) -> create(key, variation));
		TestRepository copy = TestRepository.in(parent);
		copy(template.work(), copy.work());
		copy(template.bare(), copy.bare());
		return copy;
	}

	private TestRepository create(Class<?> owner, Variation variation) {
		try {
			TestRepository template = TestRepository.create(this.directory.resolve(owner.getSimpleName()));
			variation.apply(template);
			return template;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void copy(Path source, Path target) throws IOException {
		try (Stream<Path> paths = Files.walk(source)) {
			for (Path path : paths.toList()) {
				Files.copy(path, target.resolve(source.relativize(path)));
			}
		}
	}

	@Override
	public void close() throws IOException {
		new OwnedTree(this.directory).remove();
	}

	/**
	 * Changes a repository before it becomes a template.
	 */
	@FunctionalInterface
	interface Variation {

		void apply(TestRepository repository) throws IOException;

	}

}
