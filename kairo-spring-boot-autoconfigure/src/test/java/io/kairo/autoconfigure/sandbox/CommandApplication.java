package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application that starts a command on startup, for tests that terminate the
 * application. Like a web server with its last requests, it waits for the command before
 * its beans are destroyed, and then prints the exit code of the command.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration(KairoSandboxAutoConfiguration.class)
class CommandApplication {

	public static void main(String[] arguments) throws InterruptedException {
		SpringApplication.run(CommandApplication.class, arguments);
		System.out.println("started");
		new CountDownLatch(1).await();
	}

	@Bean
	LastRequest lastRequest(ExecutionSandbox sandbox, @Value("${test.command}") String command,
			@Value("${test.directory}") Path directory) {
		return new LastRequest(sandbox, new SandboxRequest.Builder("echo; " + command, directory).build());
	}

	private static final class LastRequest implements SmartLifecycle {

		private final ExecutionSandbox sandbox;

		private final SandboxRequest request;

		private volatile SandboxHandle handle;

		LastRequest(ExecutionSandbox sandbox, SandboxRequest request) {
			this.sandbox = sandbox;
			this.request = request;
		}

		@Override
		public void start() {
			this.handle = this.sandbox.start(this.request);
			this.handle.output().blockFirst();
		}

		@Override
		public void stop() {
			System.out.println("ended with " + Objects.requireNonNull(this.handle.exit().block()).exitCode());
			this.handle = null;
		}

		@Override
		public boolean isRunning() {
			return this.handle != null;
		}

	}

}
