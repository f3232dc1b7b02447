package io.kairo.workspace.s3;

import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.host.OwnerOnly;

/**
 * A file to which records are appended, one in each line. A record that was not written
 * completely is ignored. For use by one thread at a time.
 */
final class StateLog implements AutoCloseable {

	/** The last field of every complete record. */
	private static final String END = "!";

	private final Path file;

	/** Not a channel, which an interrupt would close. */
	private final FileOutputStream out;

	/** Whether the last record may be incomplete. */
	private boolean torn;

	StateLog(Path file) throws IOException {
		this.file = file;
		this.torn = Files.exists(file);
		if (!this.torn) {
			Files.createFile(file, OwnerOnly.file(file));
		}
		this.out = new FileOutputStream(file.toFile(), true);
	}

	/**
	 * Reads all complete records.
	 */
	void read(Consumer<List<String>> records) throws IOException {
		try (BufferedReader lines = Files.newBufferedReader(this.file, StandardCharsets.US_ASCII)) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				List<String> fields = List.of(line.split("\t", -1));
				if (fields.size() > 1 && fields.get(fields.size() - 1).equals(END)) {
					records.accept(fields.subList(0, fields.size() - 1)
						.stream()
						.map((field) -> URLDecoder.decode(field, StandardCharsets.UTF_8))
						.toList());
				}
			}
		}
	}

	/**
	 * Appends a record.
	 * @param fields the fields, the first one not empty
	 */
	void append(List<String> fields) throws IOException {
		String line = Stream
			.concat(fields.stream().map((field) -> URLEncoder.encode(field, StandardCharsets.UTF_8)), Stream.of(END))
			.collect(Collectors.joining("\t", this.torn ? "\n" : "", "\n"));
		this.torn = true;
		this.out.write(line.getBytes(StandardCharsets.US_ASCII));
		this.torn = false;
	}

	void force() throws IOException {
		this.out.getFD().sync();
	}

	@Override
	public void close() throws IOException {
		this.out.close();
	}

}
