package io.kairo.sample;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.YamlMapFactoryBean;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.FileSystemResource;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares the dashboard and the alerts with the meters of the running application.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(120)
class MonitoringTests {

	private static final Path MONITORING = Path.of("..", "docs", "monitoring");

	private static final Pattern METRIC = Pattern.compile("\\b(kairo_[a-z_]+)(?:\\{([^}]*)})?");

	private static final Pattern MATCHER = Pattern.compile("([a-z_]+)(?:=~|!~|!=|=)\"");

	private static final Pattern BY = Pattern.compile("\\bby \\(([^)]*)\\)");

	private static final Pattern SAMPLE = Pattern.compile("(?m)^(kairo_[a-z_]+)(?:\\{([^}]*)})? ");

	/** Labels that Prometheus adds. */
	private static final Set<String> ADDED = Set.of("instance", "le");

	/** Meters of the remote sandbox, with their tags. */
	private static final Map<String, Set<String>> REMOTE = Map.of("kairo_sandbox_worker_up", Set.of("worker"),
			"kairo_sandbox_worker_commands", Set.of("worker"));

	@TempDir
	static Path workspace;

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void workspace(DynamicPropertyRegistry registry) {
		registry.add("kairo.workspace.roots", () -> workspace.toString());
		registry.add("kairo.policy.otherwise", () -> "allow");
	}

	@Test
	void dashboardAndAlertsUseMetersThatExist() throws Exception {
		Map<String, Set<String>> meters = meters();
		assertThat(expressions()).hasSizeGreaterThan(25).allSatisfy((expression) -> {
			Set<String> labels = new HashSet<>(ADDED);
			for (MatchResult metric : METRIC.matcher(expression).results().toList()) {
				assertThat(meters).containsKey(metric.group(1));
				Set<String> own = new HashSet<>(meters.get(metric.group(1)));
				labels.addAll(own);
				own.addAll(ADDED);
				String matchers = (metric.group(2) != null) ? metric.group(2) : "";
				assertThat(own).containsAll(MATCHER.matcher(matchers).results().map((each) -> each.group(1)).toList());
			}
			BY.matcher(expression)
				.results()
				.flatMap((by) -> Stream.of(by.group(1).split(",\\s*")))
				.forEach((label) -> assertThat(labels).contains(label));
		});
	}

	@Test
	void everyMeterIsDescribed() throws Exception {
		meters();
		assertThat(scrape().lines().filter((line) -> line.startsWith("# HELP kairo_"))).hasSizeGreaterThan(10)
			.allMatch((line) -> line.matches("# HELP \\S+ \\p{Lu}\\S.*"), "is described");
	}

	/**
	 * Returns the meters of the application after calls of several outcomes, with their
	 * labels.
	 */
	private Map<String, Set<String>> meters() throws Exception {
		try (AgentClient client = AgentClient.connect(this.port)) {
			client.call("Write", Map.of("file_path", "a.txt", "content", "a"));
			client.call("Read", Map.of("file_path", "../a.txt"));
			client.call("Bash", Map.of("command", "sleep 60 & exit 1"));
		}
		Map<String, Set<String>> meters = new HashMap<>(REMOTE);
		for (MatchResult sample : SAMPLE.matcher(scrape()).results().toList()) {
			String labels = (sample.group(2) != null) ? sample.group(2) : "";
			meters.computeIfAbsent(sample.group(1), (name) -> new HashSet<>())
				.addAll(MATCHER.matcher(labels).results().map((each) -> each.group(1)).toList());
		}
		return meters;
	}

	private String scrape() throws Exception {
		HttpRequest request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/actuator/prometheus"))
			.build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	@SuppressWarnings("unchecked")
	private static List<String> expressions() throws Exception {
		List<String> expressions = new ArrayList<>();
		YamlMapFactoryBean yaml = new YamlMapFactoryBean();
		yaml.setResources(new FileSystemResource(MONITORING.resolve("alerts.yml")));
		for (Map<String, Object> group : (List<Map<String, Object>>) yaml.getObject().get("groups")) {
			for (Map<String, Object> rule : (List<Map<String, Object>>) group.get("rules")) {
				assertThat(rule).containsKeys("alert", "labels", "annotations");
				expressions.add((String) rule.get("expr"));
			}
		}
		JsonNode dashboard = new JsonMapper().readTree(Files.readString(MONITORING.resolve("dashboard.json")));
		for (JsonNode panel : dashboard.get("panels")) {
			panel.get("targets").forEach((target) -> expressions.add(target.get("expr").asString()));
		}
		return expressions;
	}

}
