package io.kairo.architecture.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Parses JSON samples. The configuration of an MCP client must contain the endpoint of
 * the sample application, with the keys that clients read.
 */
final class JsonSamples implements SampleChecker {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final String endpoint;

	/**
	 * Creates the checker.
	 * @param endpoint the URL of the MCP endpoint that the sample application serves
	 */
	JsonSamples(String endpoint) {
		this.endpoint = endpoint;
	}

	@Override
	public Set<String> languages() {
		return Set.of("json");
	}

	@Override
	public List<String> check(Sample sample) {
		JsonNode json;
		try {
			json = MAPPER.readTree(sample.text());
		}
		catch (JacksonException ex) {
			return List.of("invalid JSON: " + ex.getOriginalMessage());
		}
		List<String> problems = new ArrayList<>();
		if (!json.has("mcpServers") || json.size() != 1) {
			return List.of("the only supported key is 'mcpServers' of an MCP client");
		}
		for (JsonNode server : json.get("mcpServers")) {
			if ("stdio".equals(server.path("type").asString(""))) {
				if (!Set.of("type", "command", "args", "env").containsAll(server.propertyNames())
						|| !server.has("command")) {
					problems.add("a server over stdio must have the key 'command' and may have 'args' and 'env', not "
							+ server.propertyNames());
				}
				continue;
			}
			if (!Set.copyOf(server.propertyNames()).equals(Set.of("type", "url"))) {
				problems.add("a server over HTTP must have the keys 'type' and 'url', not " + server.propertyNames());
			}
			if (!"http".equals(server.path("type").asString(""))) {
				problems.add("the type of streamable HTTP must be 'http'");
			}
			if (!this.endpoint.equals(server.path("url").asString(""))) {
				problems.add("the sample application serves " + this.endpoint);
			}
		}
		return problems;
	}

}
