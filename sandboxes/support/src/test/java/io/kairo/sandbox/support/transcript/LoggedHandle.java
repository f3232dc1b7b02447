package io.kairo.sandbox.support.transcript;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.output.OutputChannel;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.host.PrivateDirectory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A handle whose output and end are controlled by a test.
 */
class LoggedHandle implements SandboxHandle {

	private final Sinks.One<SandboxExit> exit = Sinks.one();

	private final OutputLog log;

	private final SandboxRequest request;

	LoggedHandle(Path temp, long maxOutputBytes, long tailBytes) {
		this.log = new OutputLog(maxOutputBytes, tailBytes, new PrivateDirectory(temp));
		this.request = new SandboxRequest.Builder("scripted", temp).maxOutputBytes(maxOutputBytes).build();
	}

	CommandTranscript transcript() {
		return new CommandTranscript(this, this.request);
	}

	void print(String text) {
		print(OutputChannel.STDOUT, text.getBytes(StandardCharsets.UTF_8));
	}

	void print(OutputChannel channel, byte[] data) {
		this.log.append(channel, data, 0, data.length);
	}

	void end() {
		this.log.close();
		this.exit.tryEmitValue(new SandboxExit(0, null, false, discardedBytes() > 0));
	}

	@Override
	public Flux<SandboxOutputChunk> output() {
		return this.log.chunks();
	}

	@Override
	public Mono<SandboxExit> exit() {
		return this.exit.asMono();
	}

	@Override
	public long discardedBytes() {
		return this.log.discardedBytes();
	}

	@Override
	public void cancel() {
		end();
	}

	@Override
	public void close() {
		end();
		this.log.release();
	}

}
