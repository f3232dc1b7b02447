package io.kairo.workspace.s3;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of processes that are killed while they write back.
 */
@ExtendWith(S3Server.Extension.class)
class KilledProcessTests {

	private static final int MANY = 20;

	private static final int ROUNDS = Integer.getInteger("kairo.kill.rounds", 3) / 3;

	private final S3Server server;

	@TempDir
	Path directory;

	KilledProcessTests(S3Server server) {
		this.server = server;
	}

	@AfterEach
	void pass() {
		this.server.gateway().fault((method, path) -> null);
	}

	private S3WorkspaceProvider provider(String bucket) {
		return new S3WorkspaceProvider(
				this.server.options(this.directory, bucket).writeBack(WriteBackMode.ON_DEMAND).build(),
				S3Server.credentials());
	}

	/**
	 * Kills the program during its last write-back, once a number of its objects has been
	 * written.
	 * @return the paths that were reported as written
	 */
	private Set<String> kill(String bucket, int after) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", S3Server.classPath(),
				KilledProcessProgram.class.getName(), this.server.endpoint().toString(), bucket,
				this.directory.toString(), String.valueOf(MANY))
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
		Set<String> reported = new HashSet<>();
		AtomicInteger written = new AtomicInteger();
		this.server.gateway().fault((method, path) -> {
			if (method.equals("PUT") && path.contains("/many-") && written.incrementAndGet() > after) {
				process.destroyForcibly();
				// whether the object is written is a matter of chance
				return (written.get() % 2 == 0) ? Gateway.LOSE_ANSWER : Gateway.BREAK_OFF;
			}
			return null;
		});
		try (BufferedReader out = process.inputReader()) {
			for (String line = out.readLine(); line != null; line = out.readLine()) {
				assertThat(line).isNotEqualTo("end");
				if (line.startsWith("written ")) {
					reported.add(line.substring(8));
				}
			}
		}
		assertThat(process.waitFor()).isEqualTo(137);
		this.server.gateway().fault((method, path) -> null);
		return reported;
	}

	@Test
	void killedWriteBackIsResumedAndLosesNothingThatWasReported() throws Exception {
		for (int round = 0; round < ROUNDS; round++) {
			killAndResume();
		}
	}

	private void killAndResume() throws Exception {
		String bucket = this.server.newBucket();
		this.server.put(bucket, "work/kept.txt", "original");
		long seed = System.nanoTime();
		Set<String> reported = kill(bucket, new Random(seed).nextInt(MANY - 10));
		assertThat(reported).as("seed %d", seed).hasSize(5);
		List<String> before = this.server.keys(bucket);
		assertThat(before).contains("work/single-0", "work/single-4");
		assertThat(before.size()).as("only a part was written").isLessThan(MANY);
		try (S3WorkspaceProvider provider = provider(bucket)) {
			assertThat(provider.unwritten()).singleElement()
				.satisfies((kept) -> assertThat(kept.interrupted()).isTrue());
			Workspace workspace = provider.acquire(WorkspaceRequest.writable("s3://" + bucket + "/work"));
			assertThat(provider.unwritten()).isEmpty();
			assertThat(workspace.metadata()).doesNotContainKey("s3.unwritten");
		}
		for (int i = 0; i < MANY; i++) {
			assertThat(this.server.get(bucket, "work/many-" + i)).as("seed %d", seed).isEqualTo("content of " + i);
		}
		for (int i = 0; i < 5; i++) {
			assertThat(this.server.get(bucket, "work/single-" + i)).isEqualTo("content " + i);
		}
		assertThat(this.server.get(bucket, "work/kept.txt")).isEqualTo("changed");
		assertThat(this.server.keys(bucket)).noneMatch((key) -> key.contains(".remote-") || key.contains(".kairo-"));
	}

	@Test
	void resumedWriteBackReportsConflicts() throws Exception {
		String bucket = this.server.newBucket();
		this.server.put(bucket, "work/kept.txt", "original");
		kill(bucket, 3);
		this.server.put(bucket, "work/kept.txt", "of another writer");
		this.server.put(bucket, "work/many-19", "of another writer");
		try (S3WorkspaceProvider provider = provider(bucket)) {
			UnwrittenWorkspace kept = provider.unwritten().get(0);
			SyncReport report = provider.resume(kept.id()).value();
			List<String> conflicts = new ArrayList<>();
			report.with(SyncReport.Outcome.CONFLICT).forEach((change) -> conflicts.add(change.path()));
			assertThat(conflicts).contains("many-19").doesNotContain("many-18");
			assertThat(provider.unwritten()).hasSize(1);
			assertThat(provider.acquire(WorkspaceRequest.writable("s3://" + bucket + "/work")).metadata())
				.containsEntry("s3.unwritten", "1");
		}
		assertThat(this.server.get(bucket, "work/kept.txt")).isEqualTo("of another writer");
		assertThat(this.server.get(bucket, "work/many-19")).isEqualTo("of another writer");
		assertThat(this.server.get(bucket, "work/many-18")).isEqualTo("content of 18");
		// for the next process
		assertThat(this.directory).isDirectoryRecursivelyContaining("glob:**/many-19.remote-*");
	}

}
