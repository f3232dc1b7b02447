package demo;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * A model that asks for one tool call after the other, and remembers what came back.
 */
final class Script implements ChatModel {

	private final Deque<AssistantMessage.ToolCall> calls = new ArrayDeque<>();

	private final List<String> responses = new ArrayList<>();

	Script call(String tool, String arguments) {
		this.calls.add(new AssistantMessage.ToolCall("call-" + this.calls.size(), "function", tool, arguments));
		return this;
	}

	List<String> responses() {
		return this.responses;
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().build();
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> Flux.just(call(prompt)));
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		Message last = prompt.getInstructions().get(prompt.getInstructions().size() - 1);
		if (last instanceof ToolResponseMessage message) {
			message.getResponses().forEach((response) -> this.responses.add(response.responseData()));
		}
		AssistantMessage.ToolCall call = this.calls.poll();
		AssistantMessage answer = (call != null)
				? AssistantMessage.builder().content("").toolCalls(List.of(call)).build()
				: new AssistantMessage("done");
		return new ChatResponse(List.of(new Generation(answer)));
	}

}
