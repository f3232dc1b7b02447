package io.kairo.autoconfigure.mcp;

import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpServerTransportProviderBase;
import io.kairo.autoconfigure.AutoConfigureApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

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
		application.setWebApplicationType(WebApplicationType.NONE);
		application.addInitializers(
				(context) -> ((GenericApplicationContext) context).registerBean(McpServerTransportProviderBase.class,
						() -> new StdioServerTransportProvider(McpJsonDefaults.getMapper(), input, output)));
		try (PipedOutputStream client = new PipedOutputStream(input);
				ConfigurableApplicationContext context = application.run("--spring.ai.mcp.server.stdio=true",
						"--kairo.workspace.roots=" + directory, "--kairo.sandbox.type=none")) {
			client.write((("""
					{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
					"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
					{"jsonrpc":"2.0","method":"notifications/initialized"}
					{"jsonrpc":"2.0","id":1,"method":"resources/read","params":\
					{"uri":"kairo://workspace/src/main/a%20b.txt"}}
					""")).getBytes(StandardCharsets.UTF_8));
			client.flush();
			await().until(() -> output.toString(StandardCharsets.UTF_8).contains("\"text\":\"content\""));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

	}

}
