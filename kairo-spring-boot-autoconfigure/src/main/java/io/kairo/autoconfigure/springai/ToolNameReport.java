package io.kairo.autoconfigure.springai;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.ai.tool.StaticToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.method.MethodToolCallbackProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Logs the tools of the application that have the name of a tool of Kairo, since a prompt
 * cannot use both. Providers whose tools may come from another system are not asked.
 */
final class ToolNameReport implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(ToolNameReport.class);

	private static final String OWN = "kairoToolCallbackProvider";

	private final ListableBeanFactory beans;

	ToolNameReport(ListableBeanFactory beans) {
		this.beans = beans;
	}

	@Override
	public void afterSingletonsInstantiated() {
		Map<String, ToolCallbackProvider> providers = this.beans.getBeansOfType(ToolCallbackProvider.class, true,
				false);
		ToolCallbackProvider own = providers.remove(OWN);
		if (own == null) {
			return;
		}
		Set<String> names = names(Arrays.stream(own.getToolCallbacks()));
		providers.forEach((bean, provider) -> {
			if (provider instanceof MethodToolCallbackProvider || provider instanceof StaticToolCallbackProvider) {
				report(bean, names, Arrays.stream(provider.getToolCallbacks()));
			}
		});
		this.beans.getBeansOfType(ToolCallback.class, true, false)
			.forEach((bean, callback) -> report(bean, names, Stream.of(callback)));
	}

	private static void report(String bean, Set<String> names, Stream<ToolCallback> callbacks) {
		names(callbacks).stream()
			.filter(names::contains)
			.forEach((name) -> logger.warn("The tool '" + name + "' of the bean '" + bean
					+ "' has the name of a tool of Kairo in the bean '" + OWN + "': a prompt can use one of them only. "
					+ "Rename it, or set kairo.tools.name-prefix or kairo.tools.exclude"));
	}

	private static Set<String> names(Stream<ToolCallback> callbacks) {
		return callbacks.map((callback) -> callback.getToolDefinition().name()).collect(Collectors.toSet());
	}

}
