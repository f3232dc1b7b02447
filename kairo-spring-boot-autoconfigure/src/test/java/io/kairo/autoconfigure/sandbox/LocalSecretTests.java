package io.kairo.autoconfigure.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.DocumentedConfiguration;
import io.kairo.autoconfigure.ThisJvm;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import io.kairo.sandbox.support.proxy.ProxyListener;
import io.kairo.sandbox.support.proxy.RequestRules;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Follows the steps of {@code docs/secrets.md} for a server on the machine of a
 * developer, on another port.
 */
@Timeout(600)
class LocalSecretTests {

	private static final String HEADING = "Trying it on your machine";

	private static final String SECRET = "s3cret-of-this-machine";

	@TempDir
	Path directory;

	private int port;

	private Process server;

	/**
	 * Performs the first two steps.
	 */
	private void start() throws Exception {
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.port = free.getLocalPort();
		}
		Process keytool = program("sh", "-c", block("sh")).redirectErrorStream(true).start();
		String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(keytool.waitFor()).as(output).isZero();
		Files.writeString(this.directory.resolve("StatusServer.java"), block("java"));
		this.server = program("java", "StatusServer.java").redirectErrorStream(true).start();
		BufferedReader lines = this.server.inputReader();
		assertThat(lines.readLine()).isEqualTo("listening");
	}

	@AfterEach
	void stop() throws InterruptedException {
		if (this.server != null) {
			this.server.destroyForcibly().waitFor();
		}
	}

	/**
	 * Returns a JVM, or a shell that finds the programs of the JDK, in the directory.
	 */
	private ProcessBuilder program(String name, String... arguments) {
		Path programs = Path.of(System.getProperty("java.home"), "bin");
		List<String> command = name.equals("java") ? ThisJvm.command() : new ArrayList<>(List.of(name));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.directory.toFile());
		builder.environment().merge("PATH", programs.toString(), (path, first) -> first + ":" + path);
		return builder;
	}

	private String block(String language) throws IOException {
		String page = Files.readString(Path.of("../docs/secrets.md"));
		String section = page.substring(page.indexOf("## " + HEADING + "\n"), page.indexOf("\n## Rules\n"));
		Matcher block = Pattern.compile("(?s)```" + language + "\n(.*?)\n```").matcher(section);
		assertThat(block.find()).isTrue();
		return block.group(1).replace("8443", "" + this.port);
	}

	private ApplicationContextRunner application() {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(KairoSandboxAutoConfiguration.class, SslAutoConfiguration.class))
			.withPropertyValues(DocumentedConfiguration.of("secrets.md", HEADING)
				.with("8443", this.port)
				.with("file:local.p12", "file:" + this.directory.resolve("local.p12"))
				.properties())
			.withPropertyValues("kairo.state-dir=" + this.directory.resolve("state"));
	}

	@Test
	void requestOfCommandGetsTheSecret() throws Exception {
		start();
		// the proxy of the sandbox, without the sandbox, which this machine may lack
		application().withBean(ExecutionSandbox.class, AllowListedCommands::new).run((context) -> {
			assertThat(context).hasNotFailed();
			AllowListProxy proxy = new AllowListProxy(CommandSettingsFactory
				.allowList(context.getBean(SandboxProperties.class), context.getBean(RequestRules.class)));
			Path socket = this.directory.resolve("proxy");
			String host = "localhost:" + this.port;
			try (ProxyListener listener = proxy.listen(socket, TenantContext.SINGLE)) {
				assertThat(ask(socket, "GET http://" + host + "/status HTTP/1.1\r\nHost: " + host + "\r\n\r\n"))
					.startsWith("HTTP/1.1 200 ")
					.endsWith("all is well\n")
					.doesNotContain(SECRET);
				assertThat(ask(socket, "CONNECT " + host + " HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 200 ");
				assertThat(ask(socket, "GET http://localhost:1/ HTTP/1.1\r\nHost: localhost:1\r\n\r\n"))
					.startsWith("HTTP/1.1 403 not_listed");
				assertThat(listener.report().allowed()).isEqualTo(2);
			}
			Map<String, String> environment = new HashMap<>();
			proxy.addVariables(environment, new SandboxRequest.Builder("env", this.directory).build(), 3128);
			assertThat(environment).containsEntry("NO_PROXY", "127.0.0.1,::1").doesNotContainValue(SECRET);
		});
	}

	private static String ask(Path socket, String request) throws IOException {
		try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
			channel.connect(UnixDomainSocketAddress.of(socket));
			channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
			channel.shutdownOutput();
			return new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

	@Test
	void documentedCommandPrintsTheAnswer() throws Exception {
		assumeThat((Files.isExecutable(Path.of("/usr/bin/bwrap")) && Files.isExecutable(Path.of("/usr/bin/curl")))
				|| System.getenv().getOrDefault("KAIRO_REQUIRE", "").contains("bubblewrap"))
			.as("bubblewrap and curl are installed")
			.isTrue();
		start();
		boolean root = System.getProperty("user.name").equals("root");
		application().withPropertyValues("kairo.sandbox.bubblewrap.run-as=" + (root ? "65534" : "")).run((context) -> {
			Path workspace = Files.createDirectory(this.directory.toRealPath().resolve("workspace"));
			if (root) {
				Files.setAttribute(workspace, "unix:uid", 65534);
				Files.setPosixFilePermissions(this.directory, PosixFilePermissions.fromString("rwxr-xr-x"));
			}
			String url = "localhost:" + this.port + "/status";
			StringBuilder output = new StringBuilder();
			try (SandboxHandle handle = context.getBean(ExecutionSandbox.class)
				.start(new SandboxRequest.Builder("curl -sS http://" + url + "; curl -sSk https://" + url + "; env",
						workspace)
					.build())) {
				for (SandboxOutputChunk chunk : handle.output().toIterable()) {
					output.append(new String(chunk.data(), StandardCharsets.UTF_8));
				}
			}
			assertThat(output.toString()).startsWith("all is well\nwho are you?\n").doesNotContain(SECRET);
		});
	}

}
