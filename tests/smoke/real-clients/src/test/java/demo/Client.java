package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A client of MCP servers as npm has it, with the package, the version that was tried,
 * the protocol to its model and its configuration.
 */
enum Client {

	CLAUDE_CODE("@anthropic-ai/claude-code", "2.1.197", Protocol.MESSAGES) {

		@Override
		List<String> command(String model, String server) {
			return List.of("claude", "-p", "go", "--strict-mcp-config", "--mcp-config",
					"{\"mcpServers\":{\"kairo\":{\"type\":\"http\",\"url\":\"%s\"}}}".formatted(server),
					"--allowedTools", "mcp__kairo");
		}

		@Override
		Map<String, String> environment(String model) {
			return Map.of("ANTHROPIC_BASE_URL", model, "ANTHROPIC_API_KEY", "none", "IS_SANDBOX", "1",
					"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1", "DISABLE_AUTOUPDATER", "1",
					"MCP_CONNECTION_NONBLOCKING", "false", "ENABLE_TOOL_SEARCH", "false");
		}

	},

	CODEX("@openai/codex", "0.171.0", Protocol.RESPONSES) {

		@Override
		void configure(Path home, String model, String server) throws IOException {
			write(home.resolve("config.toml"), """
					model = "m"
					model_provider = "scripted"
					[analytics]
					enabled = false
					[model_providers.scripted]
					name = "scripted"
					base_url = "%s/v1"
					wire_api = "responses"
					[mcp_servers.kairo]
					url = "%s"
					""".formatted(model, server));
		}

		@Override
		List<String> command(String model, String server) {
			return List.of("codex", "exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "go");
		}

		@Override
		Map<String, String> environment(String model) {
			return Map.of("CODEX_HOME", "{home}");
		}

	},

	OPENCODE("opencode-ai", "1.18.33", Protocol.COMPLETIONS) {

		@Override
		void configure(Path home, String model, String server) throws IOException {
			write(home.resolve(".config/opencode/opencode.json"), """
					{
					  "autoupdate": false, "share": "disabled",
					  "provider": { "scripted": { "npm": "@ai-sdk/openai-compatible", "name": "scripted",
					    "options": { "baseURL": "%s/v1", "apiKey": "none" },
					    "models": { "m": { "name": "m", "attachment": true,
					      "modalities": { "input": ["text", "image"], "output": ["text"] } } } } },
					  "mcp": { "kairo": { "type": "remote", "url": "%s", "enabled": true } }
					}
					""".formatted(model, server));
		}

		@Override
		List<String> command(String model, String server) {
			return List.of("opencode", "run", "--model", "scripted/m", "go");
		}

	},

	GEMINI("@google/gemini-cli", "0.61.0", Protocol.GENERATE_CONTENT) {

		@Override
		void configure(Path home, String model, String server) throws IOException {
			write(home.resolve(".gemini/settings.json"), """
					{
					  "security": { "auth": { "selectedType": "gemini-api-key" } },
					  "privacy": { "usageStatisticsEnabled": false }, "telemetry": { "enabled": false },
					  "general": { "disableAutoUpdate": true, "disableUpdateNag": true },
					  "mcpServers": { "kairo": { "httpUrl": "%s", "trust": true } }
					}
					""".formatted(server));
		}

		@Override
		List<String> command(String model, String server) {
			return List.of("gemini", "--yolo", "--model", "m", "--prompt", "go");
		}

		@Override
		Map<String, String> environment(String model) {
			return Map.of("GOOGLE_GEMINI_BASE_URL", model, "GEMINI_API_KEY", "none", "GEMINI_CLI_TRUST_WORKSPACE", "true");
		}

	};

	private final String artifact;

	private final String version;

	private final Protocol protocol;

	Client(String artifact, String version, Protocol protocol) {
		this.artifact = artifact;
		this.version = version;
		this.protocol = protocol;
	}

	/**
	 * Returns the name and the version of the package.
	 */
	String npmPackage() {
		return this.artifact + "@" + this.version;
	}

	Protocol protocol() {
		return this.protocol;
	}

	/**
	 * Writes the configuration below the home directory of the client.
	 */
	void configure(Path home, String model, String server) throws IOException {
	}

	/**
	 * Returns the name of the program and its arguments.
	 */
	abstract List<String> command(String model, String server);

	/**
	 * Returns the variables of the environment; {@code {home}} stands for the home
	 * directory.
	 */
	Map<String, String> environment(String model) {
		return Map.of();
	}

	private static void write(Path file, String content) throws IOException {
		Files.createDirectories(file.getParent());
		Files.writeString(file, content);
	}

}
