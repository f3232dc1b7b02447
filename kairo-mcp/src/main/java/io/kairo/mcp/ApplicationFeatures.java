package io.kairo.mcp;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;

import io.modelcontextprotocol.server.McpServerFeatures.SyncCompletionSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.ResolvableType;

/**
 * The offers of the application to MCP clients: the specifications of the SDK that are
 * beans, or in lists that are beans, such as those that Spring AI makes of annotated
 * methods.
 *
 * @param tools the tools
 * @param resources the resources
 * @param templates the templates of resources
 * @param prompts the prompts
 * @param completions the completions of arguments
 */
record ApplicationFeatures(List<SyncToolSpecification> tools, List<SyncResourceSpecification> resources,
		List<SyncResourceTemplateSpecification> templates, List<SyncPromptSpecification> prompts,
		List<SyncCompletionSpecification> completions) {

	static final ApplicationFeatures NONE = new ApplicationFeatures(List.of(), List.of(), List.of(), List.of(),
			List.of());

	/**
	 * Finds what the application offers.
	 * @param wanted returns whether to offer the tool of a bean
	 */
	static ApplicationFeatures of(ListableBeanFactory beans, BiPredicate<Tool, String> wanted) {
		Finder finder = new Finder(beans);
		List<SyncToolSpecification> tools = new ArrayList<>();
		BiConsumer<SyncToolSpecification, String> add = (tool, bean) -> {
			if (wanted.test(tool.tool(), bean)) {
				tools.add(tool);
			}
		};
		finder.each(SyncToolSpecification.class, add);
		finder
			.each(McpStatelessServerFeatures.SyncToolSpecification.class,
					(tool, bean) -> add.accept(new SyncToolSpecification(tool.tool(),
							(exchange, request) -> tool.callHandler().apply(exchange.transportContext(), request)),
							bean));
		return new ApplicationFeatures(tools,
				finder.all(SyncResourceSpecification.class, McpStatelessServerFeatures.SyncResourceSpecification.class,
						(one) -> new SyncResourceSpecification(one.resource(),
								(exchange, request) -> one.readHandler().apply(exchange.transportContext(), request))),
				finder.all(SyncResourceTemplateSpecification.class,
						McpStatelessServerFeatures.SyncResourceTemplateSpecification.class,
						(one) -> new SyncResourceTemplateSpecification(one.resourceTemplate(),
								(exchange, request) -> one.readHandler().apply(exchange.transportContext(), request))),
				finder.all(SyncPromptSpecification.class, McpStatelessServerFeatures.SyncPromptSpecification.class,
						(one) -> new SyncPromptSpecification(one.prompt(),
								(exchange, request) -> one.promptHandler()
									.apply(exchange.transportContext(), request))),
				finder.all(SyncCompletionSpecification.class,
						McpStatelessServerFeatures.SyncCompletionSpecification.class,
						(one) -> new SyncCompletionSpecification(one.referenceKey(), (exchange,
								request) -> one.completionHandler().apply(exchange.transportContext(), request))));
	}

	/**
	 * Finds specifications.
	 *
	 * @param beans the beans of the application
	 */
	private record Finder(ListableBeanFactory beans) {

		<T> void each(Class<T> type, BiConsumer<T, String> action) {
			for (String name : this.beans.getBeanNamesForType(ResolvableType.forClassWithGenerics(List.class, type))) {
				for (Object each : this.beans.getBean(name, List.class)) {
					action.accept(type.cast(each), name);
				}
			}
			this.beans.getBeansOfType(type).forEach((name, each) -> action.accept(each, name));
		}

		/**
		 * Returns all specifications of a type, and those without a session of another
		 * type.
		 */
		<T, S> List<T> all(Class<T> type, Class<S> stateless, Function<S, T> converter) {
			List<T> found = new ArrayList<>();
			each(type, (each, name) -> found.add(each));
			each(stateless, (each, name) -> found.add(converter.apply(each)));
			return found;
		}

	}

}
