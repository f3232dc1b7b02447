package demo;

import java.util.List;
import java.util.Map;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * An agent in both programming models of Spring AI, for its users and for anybody.
 */
@RestController
@RequestMapping({ "/agent", "/open" })
class Agent {

	private final ChatClient client;

	private final ToolCallbackProvider tools;

	Agent(ToolCallbackProvider tools) {
		this.client = ChatClient.create(new Parrot());
		this.tools = tools;
	}

	@PostMapping("/call/{session}")
	Mono<String> call(@PathVariable String session, @RequestBody String prompt) {
		return Mono.fromCallable(() -> String.valueOf(request(session, prompt).call().content()))
			.subscribeOn(Schedulers.boundedElastic());
	}

	@PostMapping("/stream/{session}")
	Flux<String> stream(@PathVariable String session, @RequestBody String prompt) {
		return request(session, prompt).stream().content();
	}

	private ChatClientRequestSpec request(String session, String prompt) {
		return this.client.prompt(prompt)
			.toolCallbacks(List.of(this.tools.getToolCallbacks()))
			.toolContext(Map.of("kairo.session.id", session));
	}

}
