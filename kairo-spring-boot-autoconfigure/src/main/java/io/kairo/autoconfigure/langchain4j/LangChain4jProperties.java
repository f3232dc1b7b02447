package io.kairo.autoconfigure.langchain4j;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for LangChain4j.
 *
 * @param enabled Whether to create a ToolProvider of the tools.
 */
@ConfigurationProperties("kairo.langchain4j")
public record LangChain4jProperties(@DefaultValue("true") boolean enabled) {

}
