package io.kairo.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/generated/properties.md} matches the metadata of the properties.
 */
class PropertiesReferenceTests {

	private static final String WRITE = "kairo.docs.write";

	private static final String HEAD = """
			# Properties

			This page is made from the metadata of the code. A test fails when it is stale;
			`mvn -pl kairo-spring-boot-autoconfigure -am test -Dtest=PropertiesReferenceTests \
			-Dsurefire.failIfNoSpecifiedTests=false -Dkairo.docs.write=true`
			makes it anew. A value that is not allowed fails the start. So does a property below `kairo` that does not exist, or that has no effect because
			an artifact is absent, whatever its source; an extension is accepted if its jar has configuration metadata. Environment variables and system
			properties are shared with other programs: an unknown one fails the start if it resembles a property (`KAIRO_SANDBOX_REQUIRE_ISOLATON`), is
			logged if it begins with a group of properties (`KAIRO_MCP_PORT`), and is otherwise ignored (`KAIRO_SERVICE_HOST`).

			""";

	private final Path page = Path.of("..", "docs", "generated", "properties.md");

	@Test
	void pageMatchesMetadata() throws IOException {
		String expected = render();
		if (Boolean.getBoolean(WRITE)) {
			Files.writeString(this.page, expected);
		}
		assertThat(this.page).as("stale, run the test with -D" + WRITE + "=true").hasContent(expected);
	}

	@Test
	void pageContainsEveryProperty() throws IOException {
		assertThat(render()).contains("`kairo.workspace.roots`", "`kairo.sandbox.type`", "`kairo.tenancy.default`")
			.contains("| `kairo.metrics.max-tenants` | `100` |");
	}

	private static String render() throws IOException {
		Map<String, List<String>> groups = new TreeMap<>();
		for (JsonNode property : KairoMetadata.read().get("properties")) {
			String name = property.get("name").asString();
			if (name.contains("kairo")) {
				groups.computeIfAbsent(group(name), (group) -> new ArrayList<>()).add(row(name, property));
			}
		}
		StringBuilder page = new StringBuilder(HEAD);
		groups.forEach((group, rows) -> {
			page.append("## ").append(group).append("\n\n| property | default | |\n|---|---|---|\n");
			rows.stream().sorted().forEach(page::append);
			page.append('\n');
		});
		return page.toString().stripTrailing() + "\n";
	}

	private static String group(String name) {
		String[] names = name.split("\\.");
		return (names.length > 2) ? names[0] + "." + names[1] : names[0];
	}

	private static String row(String name, JsonNode property) {
		return "| `%s` | %s | %s |%n"
			.formatted(name, defaultValue(property.get("defaultValue")),
					property.path("description").asString("").replace("|", "\\|"))
			.replace("\r", "");
	}

	private static String defaultValue(JsonNode value) {
		if (value == null || (value.isArray() && value.isEmpty())) {
			return "";
		}
		if (!value.isArray()) {
			return "`" + value.asString() + "`";
		}
		List<String> values = new ArrayList<>();
		value.forEach((one) -> values.add(one.asString()));
		return "`" + String.join(", ", values) + "`";
	}

}
