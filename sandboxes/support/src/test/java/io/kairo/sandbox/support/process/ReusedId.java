package io.kairo.sandbox.support.process;

import java.io.InputStream;
import java.io.OutputStream;

/**
 * A process that has ended and whose ID is now used by another process.
 */
class ReusedId extends Process {

	private final Process ended;

	private final long pid;

	ReusedId(Process ended, long pid) {
		this.ended = ended;
		this.pid = pid;
	}

	@Override
	public long pid() {
		return this.pid;
	}

	@Override
	public boolean isAlive() {
		return false;
	}

	@Override
	public OutputStream getOutputStream() {
		return this.ended.getOutputStream();
	}

	@Override
	public InputStream getInputStream() {
		return this.ended.getInputStream();
	}

	@Override
	public InputStream getErrorStream() {
		return this.ended.getErrorStream();
	}

	@Override
	public int waitFor() throws InterruptedException {
		return this.ended.waitFor();
	}

	@Override
	public int exitValue() {
		return this.ended.exitValue();
	}

	@Override
	public void destroy() {
		throw new UnsupportedOperationException();
	}

}
