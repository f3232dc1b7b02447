package io.kairo.autoconfigure.tools;

import java.util.List;

import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolInterceptor;

/**
 * Customizes the auto-configured {@link io.kairo.tools.ToolCatalog}, for instance to wrap
 * a tool. Beans of this type are applied in their order, when the catalog is created.
 */
@FunctionalInterface
public interface ToolCatalogCustomizer {

	/**
	 * Customizes the catalog.
	 * @param tools the tools selected by {@code kairo.tools.include} and
	 * {@code kairo.tools.exclude}, in the order of the catalog; modifiable
	 * @param interceptors the interceptors, the outermost first; modifiable
	 */
	void customize(List<AgentTool> tools, List<ToolInterceptor> interceptors);

}
