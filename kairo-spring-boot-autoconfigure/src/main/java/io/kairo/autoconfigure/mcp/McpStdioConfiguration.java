package io.kairo.autoconfigure.mcp;

import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Lets the client of a server over standard input and output cancel its calls, and ends
 * the application with it.
 */
@Configuration(proxyBeanMethods = false)
class McpStdioConfiguration {

	@Bean
	ApplicationEnd kairoMcpStdioEnd(ConfigurableApplicationContext context) {
		return new ApplicationEnd(context);
	}

	@Bean
	static BeanPostProcessor kairoMcpStdioTransport(ObjectProvider<ApplicationEnd> end) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof StdioServerTransportProvider transport && !(bean instanceof McpStdioTransport))
						? new McpStdioTransport(transport, () -> end.getObject().clientIsGone()) : bean;
			}

		};
	}

	/**
	 * Closes the application when the client is gone, but not before it has started. Safe
	 * for use by several threads.
	 */
	static final class ApplicationEnd implements ApplicationListener<ContextRefreshedEvent> {

		private static final Log logger = LogFactory.getLog(McpStdioConfiguration.class);

		private final ConfigurableApplicationContext context;

		private boolean started;

		private boolean gone;

		ApplicationEnd(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@Override
		public synchronized void onApplicationEvent(ContextRefreshedEvent event) {
			if (event.getApplicationContext() == this.context) {
				this.started = true;
				closeIfOver();
			}
		}

		synchronized void clientIsGone() {
			this.gone = true;
			closeIfOver();
		}

		/**
		 * Closes the application on another thread, since that waits for this one.
		 */
		private void closeIfOver() {
			if (this.started && this.gone) {
				logger.info("The MCP client has closed the standard input: the application ends");
				new Thread(this.context::close, "kairo-mcp-stdio-end").start();
			}
		}

	}

}
