package demo;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * An application that offers every tool over MCP.
 */
@SpringBootApplication
public class ToolServer {

	public static void main(String[] arguments) {
		SpringApplication.run(ToolServer.class, arguments);
	}

}
