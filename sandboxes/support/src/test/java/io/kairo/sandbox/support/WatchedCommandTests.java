package io.kairo.sandbox.support;

import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link WatchedCommand}.
 */
@Timeout(60)
class WatchedCommandTests {

	private final ScriptedCommand command = new ScriptedCommand() {

		@Override
		public OutputStream stdin() {
			return OutputStream.nullOutputStream();
		}

		@Override
		public void release() {
			super.release();
			if (this.failure != null) {
				throw this.failure;
			}
		}

	};

	private final AtomicInteger ended = new AtomicInteger();

	@TempDir
	Path temp;

	private PrivateDirectory directory;

	private OutputLog log;

	private WatchedCommand watched;

	@BeforeEach
	void watch() {
		this.directory = new PrivateDirectory(this.temp);
		this.log = new OutputLog(1000, 0, this.directory);
		this.watched = new WatchedCommand(this.command, this.log, () -> List.of(countsSoFar(), "and more"),
				this.ended::incrementAndGet);
	}

	@AfterEach
	void removeDirectory() {
		this.log.release();
		this.directory.close();
	}

	@Test
	void remarksAreAppendedAfterCommandHasSettled() {
		assertThat(this.watched.settle()).isEqualTo(2);
		assertThat(errorOutput()).isEqualTo("kairo: settled 1, killed 0\nkairo: and more\n");
	}

	@Test
	void remarksAreAppendedAfterCommandWasKilled() {
		this.watched.kill();
		assertThat(errorOutput()).isEqualTo("kairo: settled 0, killed 1\nkairo: and more\n");
	}

	@Test
	void watcherEndsEvenIfReleaseOfCommandFails() {
		this.command.failure = new IllegalStateException("gone");
		assertThatIllegalStateException().isThrownBy(this.watched::release).withMessage("gone");
		assertThat(this.command.released).hasValue(1);
		assertThat(this.ended).hasValue(1);
	}

	@Test
	void otherMethodsDelegateToCommand() throws Exception {
		this.command.end(7);
		assertThat(this.watched.await()).isEqualTo(this.command.await());
		assertThat(this.watched.stdin()).isNotNull();
		assertThat(this.watched.workingDirectory()).isEqualTo(this.command.workingDirectory());
		assertThat(this.ended).hasValue(0);
	}

	private String countsSoFar() {
		return "settled " + this.command.settled + ", killed " + this.command.killed;
	}

	private String errorOutput() {
		this.log.close();
		StringBuilder text = new StringBuilder();
		for (SandboxOutputChunk chunk : this.log.chunks().collectList().block()) {
			assertThat(chunk).isInstanceOf(SandboxOutputChunk.Stderr.class);
			text.append(new String(((SandboxOutputChunk.Stderr) chunk).data()));
		}
		return text.toString();
	}

}
