package io.kairo.workspace.local;

import java.time.Instant;

/**
 * Tells one process from another, also from a later one with the same number.
 *
 * @param text what names of files start with
 */
record ProcessIdentity(String text) {

	static ProcessIdentity current() {
		ProcessHandle process = ProcessHandle.current();
		long start = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
		return new ProcessIdentity(process.pid() + "-" + start + "-");
	}

}
