package io.kairo.sandbox.support.process;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A process that ignores every signal.
 */
class ImmortalProcess implements ProcessHandle {

	int destroyCount;

	int destroyForciblyCount;

	@Override
	public boolean destroy() {
		this.destroyCount++;
		return true;
	}

	@Override
	public boolean destroyForcibly() {
		this.destroyForciblyCount++;
		return true;
	}

	@Override
	public boolean isAlive() {
		return true;
	}

	@Override
	public long pid() {
		return Long.MAX_VALUE;
	}

	@Override
	public Optional<ProcessHandle> parent() {
		return Optional.empty();
	}

	@Override
	public Stream<ProcessHandle> children() {
		return Stream.empty();
	}

	@Override
	public Stream<ProcessHandle> descendants() {
		return Stream.empty();
	}

	@Override
	public Info info() {
		throw new UnsupportedOperationException();
	}

	@Override
	public CompletableFuture<ProcessHandle> onExit() {
		return new CompletableFuture<>();
	}

	@Override
	public boolean supportsNormalTermination() {
		return true;
	}

	@Override
	public int hashCode() {
		return System.identityHashCode(this);
	}

	@Override
	public boolean equals(Object other) {
		return this == other;
	}

	@Override
	public int compareTo(ProcessHandle other) {
		return Long.compare(pid(), other.pid());
	}

}
