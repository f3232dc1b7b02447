package io.kairo.autoconfigure.springai;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How Spring AI gets the tools.
 *
 * @param enabled whether there is a ToolCallbackProvider with the tools.
 * @since 0.1.0
 */
@ConfigurationProperties(prefix = "kairo.spring-ai", ignoreUnknownFields = false)
public record SpringAiProperties(@DefaultValue("true") boolean enabled) {

}
