package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A server with a small heap and the settings of the sample application, in a JVM of its
 * own. The heap of the JVM is its limit: an attack that exhausts it ends the server.
 */
final class AttackedServer implements AutoCloseable {

	static final int HEAP_MEGABYTES = 512;

	private static final long INTERVAL_MILLIS = 250;

	private final ChildJvm jvm;

	private final int port;

	/**
	 * Starts the server.
	 * @param directory has the roots of the tenants
	 */
	AttackedServer(Path directory) throws IOException, InterruptedException {
		List<String> arguments = new ArrayList<>(
				List.of("--server.port=0", "--server.address=127.0.0.1", "--server.tomcat.connection-timeout=10s",
						"--server.tomcat.max-swallow-size=0", "--spring.ai.mcp.server.protocol=streamable",
						"--kairo.workspace.roots=" + directory.resolve("roots/{tenant}"),
						"--kairo.state-dir=" + directory.resolve("state"), "--kairo.sandbox.type=process",
						"--kairo.mcp.expose=*", "--kairo.mcp.heartbeat-interval=5s", "--kairo.mcp.session-timeout=20s",
						"--kairo.tools.session-timeout=20s", limit(QuietTenant.NAME, "calls"),
						limit(QuietTenant.NAME, "executions")));
		for (HostileAttack attack : HostileAttack.values()) {
			if (attack.isUnlimited()) {
				arguments.add(limit(attack.tenant(), "calls"));
			}
		}
		this.jvm = new ChildJvm(List.of(), List.of("-Xmx" + HEAP_MEGABYTES + "m", "-XX:+ExitOnOutOfMemoryError"),
				AttackedApplication.class, AttackedApplication.MARK, arguments);
		this.port = Integer.parseInt(this.jvm.answer());
	}

	private static String limit(String tenant, String what) {
		return "--kairo.tenancy.limits." + tenant + "." + what + "-per-minute=1000000";
	}

	int port() {
		return this.port;
	}

	boolean isAlive() {
		return this.jvm.isAlive();
	}

	String log() {
		return this.jvm.log();
	}

	/**
	 * Returns the figures after a garbage collection.
	 */
	Figures figures() throws IOException, InterruptedException {
		return Figures.of(this.jvm.ask(AttackedApplication.COLLECT));
	}

	/**
	 * Returns the result of something that takes a while, and the maximum of each figure
	 * meanwhile; that of the heap is measured at the end, after a garbage collection.
	 */
	<T> Observed<T> observe(Callable<T> action) throws Exception {
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<T> result = executor.submit(action);
			Figures maximum = new Figures(0, 0, 0, 0);
			while (!result.isDone() && isAlive()) {
				maximum = maximum.max(Figures.of(this.jvm.ask("")));
				TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
			}
			T value = result.get();
			return new Observed<>(value, isAlive() ? figures().max(maximum) : maximum);
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.jvm.close();
	}

	/**
	 * A result, with the figures while it was obtained.
	 *
	 * @param value the result
	 * @param figures the figures
	 */
	record Observed<T>(T value, Figures figures) {

	}

	/**
	 * The resources that the server has taken.
	 *
	 * @param heap the size of the objects in its heap, in bytes
	 * @param threads the number of its threads
	 * @param descriptors the number of its open files and sockets
	 * @param connections the number of its connections, with the one it waits for
	 */
	record Figures(long heap, long threads, long descriptors, long connections) {

		static Figures of(String line) {
			long[] figures = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
			return new Figures(figures[0], figures[1], figures[2], figures[3]);
		}

		/**
		 * Returns the maximum of all figures but the heap.
		 */
		Figures max(Figures other) {
			return new Figures(this.heap, Math.max(this.threads, other.threads),
					Math.max(this.descriptors, other.descriptors), Math.max(this.connections, other.connections));
		}

	}

}
