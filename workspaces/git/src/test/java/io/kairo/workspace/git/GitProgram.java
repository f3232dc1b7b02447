package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The program {@code git}, with which tests prepare repositories and inspect checkouts.
 * If it is not installed, tests are skipped with the reason, unless the environment
 * variable {@code KAIRO_REQUIRE} names {@code git}.
 */
final class GitProgram implements ExecutionCondition, ParameterResolver {

	private static final ConditionEvaluationResult RESULT = evaluate();

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		return RESULT;
	}

	private static ConditionEvaluationResult evaluate() {
		if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("git")) {
			return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names git");
		}
		return isThere() ? ConditionEvaluationResult.enabled("git is installed")
				: ConditionEvaluationResult.disabled("the program git, which the test servers need, is not installed");
	}

	@Override
	public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
		return parameter.getParameter().getType() == RepositoryTemplates.class;
	}

	/**
	 * Returns the templates of this JVM, which are deleted after its last test.
	 */
	@Override
	public RepositoryTemplates resolveParameter(ParameterContext parameter, ExtensionContext context) {
		// the root has a store for each class, as Surefire runs one after the other
		return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, Namespace.create(GitProgram.class))
			.computeIfAbsent(RepositoryTemplates.class);
	}

	private static boolean isThere() {
		try {
			return new ProcessBuilder("git", "version").start().waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Runs the program with an isolated configuration.
	 * @return its output
	 */
	static String run(Path directory, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of("git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org",
				"-c", "protocol.file.allow=always"));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
		builder.environment().put("GIT_CONFIG_GLOBAL", "/dev/null");
		builder.environment().put("GIT_CONFIG_NOSYSTEM", "1");
		Process process = builder.start();
		String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		try {
			assertThat(process.waitFor()).as("git " + String.join(" ", arguments) + "\n" + said).isZero();
		}
		catch (InterruptedException ex) {
			throw new IOException(ex);
		}
		return said.strip();
	}

}
