package io.kairo.autoconfigure.springai;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for Spring AI.
 *
 * @param enabled Whether to create a ToolCallbackProvider of the tools.
 * @since 0.1.0
 */
@ConfigurationProperties("kairo.spring-ai")
public record SpringAiProperties(@DefaultValue("true") boolean enabled) {

}
