package io.kairo.test.autoconfigure;

import java.util.Map;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * The agent of an application under test.
 */
class Repairer {

	private final ChatClient client;

	Repairer(ChatModel model, ToolCallbackProvider tools) {
		this.client = ChatClient.builder(model).defaultTools(tools).build();
	}

	String repair() {
		return String.valueOf(this.client.prompt("Repair the test")
			.toolContext(Map.of("kairo.session.id", "repair"))
			.call()
			.content());
	}

	/**
	 * The application.
	 */
	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(Repairer.class)
	static class Application {

	}

}
