package io.kairo.autoconfigure.springai;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for Spring AI.
 *
 * @param enabled Whether to create a ToolCallbackProvider of the tools.
 * @param advisor Advisor of chat clients.
 */
@ConfigurationProperties("kairo.spring-ai")
public record SpringAiProperties(@DefaultValue("true") boolean enabled, @DefaultValue Advisor advisor) {

	/**
	 * Properties of the {@link ToolSessionAdvisor}.
	 *
	 * @param enabled Whether to name the tenant and the session of each prompt in the
	 * tool context, for chat clients of the auto-configured builder.
	 */
	public record Advisor(@DefaultValue("true") boolean enabled) {

	}

}
