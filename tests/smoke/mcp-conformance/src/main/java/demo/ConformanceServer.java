package demo;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.server.McpServerFeatures.SyncCompletionSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/**
 * An application that offers the tools, resources and prompts that the conformance suite
 * calls by name. Their contents are those that its scenarios describe.
 */
@SpringBootApplication
public class ConformanceServer {

	/** A PNG image of one pixel. */
	static final String IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

	private static final String TEMPLATE = "test://template/{id}/data";

	public static void main(String[] arguments) {
		SpringApplication.run(ConformanceServer.class, arguments);
	}

	@Bean
	List<SyncToolSpecification> tools() {
		return ConformanceTools.all();
	}

	@Bean
	List<SyncResourceSpecification> resources() {
		return List.of(resource("static-text", "text/plain",
				TextResourceContents.builder("test://static-text", "This is the content of the static text resource.")
					.mimeType("text/plain")
					.build()),
				resource("static-binary", "image/png",
						BlobResourceContents.builder("test://static-binary", IMAGE).mimeType("image/png").build()),
				resource("watched-resource", "text/plain",
						TextResourceContents.builder("test://watched-resource", "Watched resource content")
							.mimeType("text/plain")
							.build()));
	}

	private static SyncResourceSpecification resource(String name, String type, ResourceContents contents) {
		return new SyncResourceSpecification(
				Resource.builder("test://" + name, name).description("The resource " + name).mimeType(type).build(),
				(exchange, request) -> ReadResourceResult.builder(List.of(contents)).build());
	}

	@Bean
	SyncResourceTemplateSpecification template() {
		return new SyncResourceTemplateSpecification(
				ResourceTemplate.builder(TEMPLATE, "template").mimeType("application/json").build(),
				(exchange, request) -> {
					String id = request.uri().split("/")[3];
					String data = "{\"id\":\"%s\",\"templateTest\":true,\"data\":\"Data for ID: %s\"}".formatted(id,
							id);
					return ReadResourceResult
						.builder(List
							.of(TextResourceContents.builder(request.uri(), data).mimeType("application/json").build()))
						.build();
				});
	}

	@Bean
	List<SyncPromptSpecification> prompts() {
		return List.of(
				prompt("test_simple_prompt", List.of(), (arguments) -> List.of(
						TextContent.builder("This is a simple prompt for testing.").build())),
				prompt("test_prompt_with_arguments", List.of("arg1", "arg2"),
						(arguments) -> List.of(
								TextContent
									.builder("Prompt with arguments: arg1='%s', arg2='%s'"
										.formatted(arguments.get("arg1"), arguments.get("arg2")))
									.build())),
				prompt("test_prompt_with_embedded_resource", List.of("resourceUri"),
						(arguments) -> List.of(
								EmbeddedResource.builder(TextResourceContents
									.builder(String.valueOf(arguments.get("resourceUri")),
											"Embedded resource content for testing.")
									.mimeType("text/plain")
									.build()).build(),
								TextContent.builder("Please process the embedded resource above.").build())),
				prompt("test_prompt_with_image", List.of(),
						(arguments) -> List.of(ImageContent.builder(IMAGE, "image/png").build(),
								TextContent.builder("Please analyze the image above.").build())));
	}

	private static SyncPromptSpecification prompt(String name, List<String> arguments, Contents contents) {
		Prompt prompt = Prompt.builder(name)
			.description("The prompt " + name)
			.arguments(arguments.stream()
				.map((argument) -> PromptArgument.builder(argument)
					.description("The argument " + argument)
					.required(true)
					.build())
				.toList())
			.build();
		return new SyncPromptSpecification(prompt,
				(exchange, request) -> GetPromptResult
					.builder(contents.of((request.arguments() != null) ? request.arguments() : Map.of())
						.stream()
						.map((content) -> PromptMessage.builder(Role.USER, content).build())
						.toList())
					.build());
	}

	@Bean
	SyncCompletionSpecification completion() {
		return new SyncCompletionSpecification(PromptReference.builder("test_prompt_with_arguments").build(),
				(exchange, request) -> new CompleteResult(
						new CompleteCompletion(List.of(request.argument().value() + "Value1"), 1, false)));
	}

	/**
	 * The contents of a prompt.
	 */
	private interface Contents {

		List<Content> of(Map<String, Object> arguments);

	}

}
