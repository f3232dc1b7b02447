package io.kairo.test.springai;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.kairo.test.Resettable;
import org.jspecify.annotations.Nullable;
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
import org.springframework.ai.util.JsonHelper;

/**
 * A chat model that answers by a script: each prompt receives the next answer. A prompt
 * without a remaining answer fails. Safe for use by several threads.
 */
public final class ScriptedChatModel implements ChatModel, Resettable {

	private final Deque<Function<Prompt, AssistantMessage>> answers = new ArrayDeque<>();

	private final List<Prompt> prompts = new CopyOnWriteArrayList<>();

	private final AtomicInteger calls = new AtomicInteger();

	/**
	 * Creates a model without answers.
	 */
	public ScriptedChatModel() {
	}

	/**
	 * Adds an answer that calls a tool.
	 * @param tool the name of the tool
	 * @param arguments the arguments
	 * @return this model
	 */
	public ScriptedChatModel calls(String tool, Map<String, ?> arguments) {
		return calls(tool, new JsonHelper().toJson(arguments));
	}

	/**
	 * Adds an answer that calls a tool with arguments as a model may write them.
	 * @param tool the name of the tool
	 * @param arguments the arguments, normally a JSON object
	 * @return this model
	 */
	public ScriptedChatModel calls(String tool, String arguments) {
		AssistantMessage.ToolCall call = new AssistantMessage.ToolCall("call-" + this.calls.incrementAndGet(),
				"function", tool, arguments);
		AssistantMessage answer = AssistantMessage.builder().content("").toolCalls(List.of(call)).build();
		return answers((prompt) -> answer);
	}

	/**
	 * Adds an answer that is a text. It ends a conversation about tools.
	 * @param text the text
	 * @return this model
	 */
	public ScriptedChatModel says(String text) {
		return answers((prompt) -> new AssistantMessage(text));
	}

	/**
	 * Adds an answer that depends on its prompt, such as on the result of the last tool.
	 * @param answer the function that makes the answer
	 * @return this model
	 */
	public ScriptedChatModel answers(Function<Prompt, AssistantMessage> answer) {
		synchronized (this.answers) {
			this.answers.addLast(answer);
		}
		return this;
	}

	/**
	 * Returns the prompts that the model has received, in this order.
	 * @return a copy
	 */
	public List<Prompt> prompts() {
		return List.copyOf(this.prompts);
	}

	/**
	 * Returns the texts that the model has received from tools, in this order.
	 * @return a new list
	 */
	public List<String> toolTexts() {
		return this.prompts.stream()
			.map(ScriptedChatModel::last)
			.filter(ToolResponseMessage.class::isInstance)
			.flatMap((message) -> ((ToolResponseMessage) message).getResponses().stream())
			.map(ToolResponseMessage.ToolResponse::responseData)
			.toList();
	}

	/**
	 * Returns the number of answers that are left.
	 * @return the number
	 */
	public int remaining() {
		synchronized (this.answers) {
			return this.answers.size();
		}
	}

	/**
	 * Removes all answers and forgets all prompts.
	 */
	@Override
	public void reset() {
		synchronized (this.answers) {
			this.answers.clear();
		}
		this.prompts.clear();
	}

	@Override
	public ChatResponse call(Prompt prompt) {
		this.prompts.add(prompt);
		Function<Prompt, AssistantMessage> next;
		synchronized (this.answers) {
			next = this.answers.pollFirst();
		}
		if (next == null) {
			throw new IllegalStateException("The script of the chat model has ended, and there is another prompt, "
					+ "which ends with " + last(prompt) + ": add an answer with says(...) or calls(...)");
		}
		return new ChatResponse(List.of(new Generation(next.apply(prompt))));
	}

	@Override
	public Flux<ChatResponse> stream(Prompt prompt) {
		return Flux.defer(() -> Flux.just(call(prompt)));
	}

	@Override
	public ChatOptions getOptions() {
		return ToolCallingChatOptions.builder().build();
	}

	private static @Nullable Message last(Prompt prompt) {
		List<Message> messages = prompt.getInstructions();
		return messages.isEmpty() ? null : messages.get(messages.size() - 1);
	}

}
