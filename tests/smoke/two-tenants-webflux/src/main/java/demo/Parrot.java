package demo;

import java.util.List;
import java.util.stream.Collectors;

import reactor.core.publisher.Flux;

import org.springframework.ai.chat.messages.AssistantMessage;
import org.springframework.ai.chat.messages.Message;
import org.springframework.ai.chat.messages.ToolResponseMessage;
import org.springframework.ai.chat.messages.ToolResponseMessage.ToolResponse;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.chat.model.Generation;
import org.springframework.ai.chat.prompt.ChatOptions;
import org.springframework.ai.chat.prompt.Prompt;
import org.springframework.ai.model.tool.ToolCallingChatOptions;

/**
 * A model that calls the tool of its prompt, such as {@code Read {"file_path": "a"}}, and
 * answers with the text that the tool returns.
 */
final class Parrot implements ChatModel {

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
		return new ChatResponse(List.of(new Generation(answer(last))));
	}

	private static AssistantMessage answer(Message message) {
		if (message instanceof ToolResponseMessage returned) {
			return new AssistantMessage(
					returned.getResponses().stream().map(ToolResponse::responseData).collect(Collectors.joining()));
		}
		String[] call = message.getText().split(" ", 2);
		return AssistantMessage.builder()
			.content("")
			.toolCalls(List.of(new AssistantMessage.ToolCall("1", "function", call[0], call[1])))
			.build();
	}

}
