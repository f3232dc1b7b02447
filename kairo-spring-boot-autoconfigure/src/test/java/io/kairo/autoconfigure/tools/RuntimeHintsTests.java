package io.kairo.autoconfigure.tools;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.autoconfigure.sandbox.KairoSandboxAutoConfiguration;
import io.kairo.autoconfigure.workspace.KairoWorkspaceAutoConfiguration;
import io.kairo.tools.AgentTool;
import io.kairo.tools.RecordTool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the runtime hints of an application that is processed ahead of time.
 */
class RuntimeHintsTests {

	@Test
	void inputsOfToolsAndResourcesOfSandboxesHaveHints(@TempDir Path root) throws IOException {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			TestPropertyValues.of("kairo.workspace.roots=" + root, "kairo.sandbox.type=process").applyTo(context);
			context.register(KairoWorkspaceAutoConfiguration.class, KairoSandboxAutoConfiguration.class,
					KairoToolsAutoConfiguration.class);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("io.kairo.generated", "Application")),
					new InMemoryGeneratedFiles());
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			String[] tools = context.getBeanNamesForType(AgentTool.class, true, false);
			assertThat(tools).contains("kairoReadTool", "kairoBashTool", "kairoGrepTool", "kairoBashOutputTool",
					"kairoKillBashTool");
			assertThat(Arrays.stream(tools).map((tool) -> input(context, tool)))
				.allSatisfy((input) -> assertBound(generation.getRuntimeHints(), input));
			assertThat(items(input(context, "kairoMultiEditTool"))).isNotEmpty()
				.allSatisfy((item) -> assertBound(generation.getRuntimeHints(), item));
			assertThat(programs("bubblewrap/relay")).hasSizeGreaterThan(1);
			assertThat(programs("docker/launcher")).isNotEmpty();
			assertThat(Stream.of("bubblewrap/relay", "docker/launcher").flatMap((name) -> programs(name).stream()))
				.allSatisfy((program) -> assertThat(RuntimeHintsPredicates.resource().forResource(program))
					.accepts(generation.getRuntimeHints()));
		}
	}

	private static Class<?> input(AnnotationConfigApplicationContext context, String tool) {
		return ResolvableType.forClass(context.getType(tool)).as(RecordTool.class).getGeneric().toClass();
	}

	/**
	 * Returns the types of the items of lists.
	 */
	private static List<? extends Class<?>> items(Class<?> input) {
		return Arrays.stream(input.getRecordComponents())
			.map((component) -> ResolvableType.forMethodReturnType(component.getAccessor()).getGeneric().toClass())
			.filter(Class::isRecord)
			.toList();
	}

	private static void assertBound(RuntimeHints hints, Class<?> input) {
		assertThat(input).isRecord();
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(input)
			.withMemberCategories(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS, MemberCategory.INVOKE_DECLARED_METHODS,
					MemberCategory.ACCESS_DECLARED_FIELDS))
			.as(input.getName())
			.accepts(hints);
	}

	private static List<String> programs(String name) {
		String path = "io/kairo/sandbox/" + name;
		try {
			return Arrays.stream(new PathMatchingResourcePatternResolver().getResources("classpath*:" + path + ".*"))
				.map((resource) -> path.replaceFirst("[^/]*$", resource.getFilename()))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
