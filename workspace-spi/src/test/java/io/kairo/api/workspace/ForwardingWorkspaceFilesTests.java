package io.kairo.api.workspace;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ForwardingWorkspaceFiles}.
 */
class ForwardingWorkspaceFilesTests {

	private final MapWorkspaceFiles store = new MapWorkspaceFiles().with("a.txt",
			"old".getBytes(StandardCharsets.UTF_8));

	@Test
	void typedMethodsAreForwarded() {
		WorkspaceFiles files = new ForwardingWorkspaceFiles(this.store) {
		};
		WorkspacePath file = files.resolve("a.txt", files.root());
		assertThat(files.root()).isEqualTo(this.store.root());
		assertThat(files.display(file)).isEqualTo(this.store.display(file));
		assertThat(files.display(file, files.root())).isEqualTo("a.txt");
		assertThat(files.locate(file.toPath())).isEqualTo(file);
		assertThat(files.locate(Path.of("").toAbsolutePath().getRoot())).isNull();
		assertThat(files.read(file, 0, 10)).isEqualTo(this.store.read(file, 0, 10));
		assertThat(files.tryReadFile("./a.txt").value().content()).isEqualTo("old");
		assertThat(files.tryWriteFile("a.txt", "new").isOk()).isTrue();
		assertThat(this.store.tryReadFile("a.txt").value().content()).isEqualTo("new");
	}

	@Test
	void stringMethodsCallTheDecoratorsOwnApply() {
		List<WorkspaceChange> seen = new ArrayList<>();
		WorkspaceFiles files = new ForwardingWorkspaceFiles(this.store) {
			@Override
			public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
				seen.add(change);
				return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY, "no");
			}
		};
		assertThat(files.tryWriteFile("a.txt", "new").isOk()).isFalse();
		assertThat(files.tryCompareExchange("a.txt", "old", "new").isOk()).isFalse();
		assertThat(seen).hasSize(2);
		assertThat(this.store.tryReadFile("a.txt").value().content()).isEqualTo("old");
	}

	@Test
	void exactlyTheMethodsOfTheStoreAreForwarded() throws NoSuchMethodException {
		List<Method> methods = Arrays.stream(WorkspaceFiles.class.getMethods())
			.filter((method) -> !Modifier.isStatic(method.getModifiers()))
			.toList();
		assertThat(methods).hasSizeGreaterThan(10);
		for (Method method : methods) {
			boolean forwarded = List
				.of("root", "resolve", "display", "locate", "identity", "followed", "read", "info", "list", "walk",
						"apply", "writePolicy", "usage", "location")
				.contains(method.getName());
			Class<?> owner = ForwardingWorkspaceFiles.class.getMethod(method.getName(), method.getParameterTypes())
				.getDeclaringClass();
			assertThat(owner).as(method.toString())
				.isEqualTo(forwarded ? ForwardingWorkspaceFiles.class : WorkspaceFiles.class);
		}
	}

}
