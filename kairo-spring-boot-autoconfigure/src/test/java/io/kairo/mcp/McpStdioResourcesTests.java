package io.kairo.mcp;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.autoconfigure.AutoConfigureApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for files as resources of an MCP server over stdio.
 */
@Timeout(60)
class McpStdioResourcesTests {

	@Test
	void fileInDirectoryIsRead(@TempDir Path directory) throws Exception {
		Files.createDirectories(directory.resolve("src/main"));
		Files.writeString(directory.resolve("src/main/a b.txt"), "content");
		PipedInputStream input = new PipedInputStream(10_000);
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		SpringApplication application = new SpringApplication(Application.class);
		try (PipedOutputStream client = new PipedOutputStream(input);
				ConfigurableApplicationContext context = application.run("--server.port=0",
						"--server.address=127.0.0.1", "--kairo.workspace.roots=" + directory,
						"--kairo.sandbox.type=none")) {
			new McpStdio(context.getBean(McpEndpoint.class), input, output, () -> {
			}).start();
			client.write((("""
					{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
					"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
					{"jsonrpc":"2.0","method":"notifications/initialized"}
					{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}
					{"jsonrpc":"2.0","id":"again","method":"initialize","params":{}}
					not json
					{"jsonrpc":"2.0","id":1,"method":"resources/read","params":\
					{"uri":"kairo://workspace/src/main/a%20b.txt"}}
					""")).getBytes(StandardCharsets.UTF_8));
			client.flush();
			await().until(() -> output.toString(StandardCharsets.UTF_8).contains("\"text\":\"content\""));
			assertThat(output.toString(StandardCharsets.UTF_8).lines()).hasSize(4)
				.anyMatch((line) -> line.contains("initialized already") && line.contains("\"id\":\"again\""))
				.anyMatch((line) -> line.contains("The message is not JSON"));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

}
