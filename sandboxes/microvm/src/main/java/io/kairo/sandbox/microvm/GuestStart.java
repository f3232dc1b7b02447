package io.kairo.sandbox.microvm;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import org.jspecify.annotations.Nullable;

/**
 * The message that starts a command.
 *
 * @param user the user that the command runs as
 * @param stdin whether the command can receive input
 * @param proxied whether the command reaches the proxy
 * @param limits the limits of the command, including limits of memory and processes
 * @param tmpfsBytes the size of each directory for temporary files
 * @param filter the system call filter
 * @param session the name of what commands share, at most 64 characters; empty to share
 * nothing
 * @param directory the directory to start in
 * @param targets the paths of the directories of the command
 * @param arguments the program and its arguments
 * @param variables the environment
 */
record GuestStart(HostUser user, boolean stdin, boolean proxied, CommandLimits limits, long tmpfsBytes, byte[] filter,
		String session, Path directory, List<Path> targets, List<String> arguments, List<String> variables) {

	/**
	 * Returns the message as the agent reads it, with the time of the host.
	 */
	byte[] toBytes() {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (DataOutputStream data = new DataOutputStream(bytes)) {
			data.writeInt((this.stdin ? 1 : 0) | (this.proxied ? 2 : 0));
			data.writeInt(this.user.uid());
			data.writeInt(this.user.gid());
			data.writeInt(orZero(this.limits.pids()).intValue());
			Instant now = Instant.now();
			data.writeLong(TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano());
			data.writeLong(orZero(this.limits.memoryBytes()).longValue());
			data.writeLong(orZero(this.limits.fileSizeBytes()).longValue());
			data.writeLong(this.tmpfsBytes);
			data.writeInt(this.filter.length);
			data.write(this.filter);
			write(data, this.session);
			write(data, this.directory.toString());
			write(data, this.targets.stream().map(Path::toString).toList());
			write(data, this.arguments);
			write(data, this.variables);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	private static Number orZero(@Nullable Number value) {
		return (value != null) ? value : 0;
	}

	private static void write(DataOutputStream data, List<String> texts) throws IOException {
		data.writeInt(texts.size());
		for (String text : texts) {
			write(data, text);
		}
	}

	private static void write(DataOutputStream data, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		data.writeInt(bytes.length);
		data.write(bytes);
	}

}
