package io.kairo.governance.audit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A PostgreSQL server of the tests, which listens on loopback. It is started once, and
 * ended with the JVM.
 */
public final class PostgresServer implements AutoCloseable {

	private static final Path PROGRAMS = Path.of("/usr/lib/postgresql");

	private final AtomicInteger databases = new AtomicInteger();

	private final Path programs;

	private final Path directory;

	private final int port;

	private PostgresServer(Path programs) throws IOException, InterruptedException {
		this.programs = programs;
		this.directory = Files.createTempDirectory(Path.of("/tmp"), "pg");
		if (isRoot()) {
			run(List.of("chown", "65534:65534", this.directory.toString()));
		}
		try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			this.port = free.getLocalPort();
		}
		run(program("initdb", "--no-sync", "--auth=trust", "--username=test", "--encoding=UTF8", "--locale=C", "-D",
				data()));
		run(program("pg_ctl", "start", "-w", "-D", data(), "-l", this.directory.resolve("log").toString(), "-o",
				"-c fsync=off -c listen_addresses=127.0.0.1 -c unix_socket_directories=" + this.directory + " -p "
						+ this.port));
	}

	private String data() {
		return this.directory.resolve("data").toString();
	}

	private static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	/**
	 * Returns the command line of a program, which refuses to be run by root.
	 */
	private List<String> program(String name, String... arguments) {
		List<String> command = new ArrayList<>();
		if (isRoot()) {
			command.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"));
		}
		command.add(this.programs.resolve(name).toString());
		command.addAll(List.of(arguments));
		return command;
	}

	private void run(List<String> command) throws IOException, InterruptedException {
		Path output = Files.createTempFile("pg", ".log");
		// a server that keeps running must not keep a pipe open
		Process process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(output.toFile())
			.start();
		boolean ended = process.waitFor(60, TimeUnit.SECONDS);
		String text = Files.readString(output);
		Files.delete(output);
		if (!ended || process.exitValue() != 0) {
			process.destroyForcibly();
			throw new IllegalStateException(command + " failed: " + text);
		}
	}

	/**
	 * Creates an empty database.
	 */
	public DataSource newDatabase() throws SQLException {
		String name = "test" + this.databases.incrementAndGet();
		try (Connection connection = source("postgres").getConnection();
				Statement statement = connection.createStatement()) {
			statement.execute("create database " + name);
		}
		return source(name);
	}

	private DataSource source(String database) {
		PGSimpleDataSource source = new PGSimpleDataSource();
		source.setServerNames(new String[] { "127.0.0.1" });
		source.setPortNumbers(new int[] { this.port });
		source.setDatabaseName(database);
		source.setUser("test");
		return source;
	}

	@Override
	public void close() throws Exception {
		run(program("pg_ctl", "stop", "-m", "immediate", "-D", data()));
		run(List.of("rm", "-rf", this.directory.toString()));
	}

	/**
	 * Provides the server. Without PostgreSQL, tests are skipped, unless the environment
	 * variable {@code KAIRO_REQUIRE} names {@code postgresql}.
	 */
	public static final class Extension implements ExecutionCondition, ParameterResolver {

		private static final ExtensionContext.Namespace NAMESPACE = ExtensionContext.Namespace.create(Extension.class);

		@Override
		public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
			if (List.of(System.getenv().getOrDefault("KAIRO_REQUIRE", "").split(",")).contains("postgresql")) {
				return ConditionEvaluationResult.enabled("KAIRO_REQUIRE names postgresql");
			}
			return (programs() != null) ? ConditionEvaluationResult.enabled("PostgreSQL is installed")
					: ConditionEvaluationResult.disabled("needs PostgreSQL in " + PROGRAMS);
		}

		private static Path programs() {
			if (!Files.isDirectory(PROGRAMS)) {
				return null;
			}
			try (Stream<Path> versions = Files.list(PROGRAMS)) {
				return versions.map((version) -> version.resolve("bin"))
					.filter((bin) -> Files.isExecutable(bin.resolve("initdb")))
					.findFirst()
					.orElse(null);
			}
			catch (IOException ex) {
				return null;
			}
		}

		@Override
		public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
			return parameter.getParameter().getType() == PostgresServer.class;
		}

		@Override
		public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
			return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, NAMESPACE)
				.computeIfAbsent(PostgresServer.class, (type) -> start(), PostgresServer.class);
		}

		private static PostgresServer start() {
			Path programs = programs();
			if (programs == null) {
				throw new IllegalStateException("PostgreSQL is not installed in " + PROGRAMS);
			}
			try {
				return new PostgresServer(programs);
			}
			catch (IOException | InterruptedException ex) {
				throw new IllegalStateException("PostgreSQL cannot be started", ex);
			}
		}

	}

}
