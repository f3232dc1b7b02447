package io.kairo.autoconfigure.springai;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Logs the tools of the application that have the name of a tool of Kairo, since a prompt
 * cannot use both, and an MCP server keeps the first that Spring AI finds. Beans that are
 * not created yet, such as lazy ones, are not looked at, and clients of other MCP servers
 * are not asked, as by Spring AI at the start.
 */
final class ToolNameReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ToolNameReport.class);

	private static final String CLIENTS = "org.springframework.ai.mcp";

	private static final String OWN = "kairoToolCallbackProvider";

	private final ConfigurableListableBeanFactory beans;

	ToolNameReport(ConfigurableListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, ToolCallbackProvider> providers = created(ToolCallbackProvider.class);
		ToolCallbackProvider own = providers.remove(OWN);
		if (own == null) {
			return;
		}
		Set<String> names = names(Arrays.stream(own.getToolCallbacks()));
		providers.forEach((bean, provider) -> {
			if (!provider.getClass().getName().startsWith(CLIENTS)) {
				report(bean, names, callbacks(bean, provider));
			}
		});
		created(ToolCallback.class).forEach((bean, callback) -> report(bean, names, Stream.of(callback)));
	}

	private <T> Map<String, T> created(Class<T> type) {
		Map<String, T> created = new LinkedHashMap<>();
		for (String name : this.beans.getBeanNamesForType(type, false, false)) {
			if (this.beans.containsSingleton(name)) {
				created.put(name, this.beans.getBean(name, type));
			}
		}
		return created;
	}

	private static Stream<ToolCallback> callbacks(String bean, ToolCallbackProvider provider) {
		try {
			return Arrays.stream(provider.getToolCallbacks());
		}
		catch (RuntimeException ex) {
			logger.debug("The names of the tools of the bean '" + bean + "' are not known at the start", ex);
			return Stream.empty();
		}
	}

	private static void report(String bean, Set<String> names, Stream<ToolCallback> callbacks) {
		names(callbacks.filter((callback) -> !(callback instanceof CatalogToolCallback))).stream()
			.filter(names::contains)
			.forEach((name) -> logger
				.warn("The tool '" + name + "' of the bean '" + bean + "' has the name of a tool of Kairo in the bean '"
						+ OWN + "': a prompt can use one of them only, and an MCP server offers the first. "
						+ "Rename it, or set kairo.tools.name-prefix or kairo.tools.exclude"));
	}

	private static Set<String> names(Stream<ToolCallback> callbacks) {
		return callbacks.map((callback) -> callback.getToolDefinition().name()).collect(Collectors.toSet());
	}

}
