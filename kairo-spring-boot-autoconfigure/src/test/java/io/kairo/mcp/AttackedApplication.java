package io.kairo.mcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;

import com.sun.management.UnixOperatingSystemMXBean;
import org.apache.coyote.AbstractProtocol;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An MCP server in a JVM of its own, which a test attacks. It prints its port, then its
 * figures for each line of its standard input, and ends with the input.
 */
final class AttackedApplication {

	/** Marks the lines of the output that are not log entries. */
	static final String MARK = "attacked: ";

	/** Line of input for figures after a garbage collection. */
	static final String COLLECT = "collect";

	private AttackedApplication() {
	}

	public static void main(String[] arguments) throws IOException {
		ConfigurableApplicationContext context = SpringApplication.run(HostileMcpClientTests.Application.class,
				arguments);
		TomcatWebServer server = (TomcatWebServer) ((WebServerApplicationContext) context).getWebServer();
		System.out.println(MARK + server.getPort());
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line = input.readLine(); line != null; line = input.readLine()) {
			if (line.equals(COLLECT)) {
				System.gc();
			}
			System.out.println(MARK + figures(server));
		}
		Runtime.getRuntime().halt(0);
	}

	private static String figures(TomcatWebServer server) {
		UnixOperatingSystemMXBean system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		AbstractProtocol<?> protocol = (AbstractProtocol<?>) server.getTomcat().getConnector().getProtocolHandler();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + " "
				+ ManagementFactory.getThreadMXBean().getThreadCount() + " " + system.getOpenFileDescriptorCount() + " "
				+ protocol.getConnectionCount();
	}

}
