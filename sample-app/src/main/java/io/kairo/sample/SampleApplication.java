package io.kairo.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Serves the tools of Kairo over MCP, for the directory that the application runs in.
 */
@SpringBootApplication
public class SampleApplication {

	/**
	 * Starts the application.
	 * @param args properties such as {@code --server.port=8081}
	 */
	public static void main(String[] args) {
		SpringApplication.run(SampleApplication.class, args);
	}

}
