package io.kairo.workspace.s3;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.host.OwnerOnly;

/**
 * A file of appended records, one in each line. An incompletely written record is
 * ignored. A killed process loses no appended record; a power cut may lose records that
 * were not {@linkplain #force() made durable}. For use by one thread at a time.
 */
final class StateLog implements AutoCloseable {

	/** The last field of every complete record. */
	private static final String END = "!";

	private final Path file;

	/** Not a channel, since an interrupt would close it. */
	private FileOutputStream out;

	/** Whether the last record may be incomplete. */
	private boolean torn;

	/** Whether the name of the file may not be durable yet. */
	private boolean named = true;

	StateLog(Path file) throws IOException {
		this.file = file;
		Files.deleteIfExists(replacement());
		this.torn = Files.exists(file);
		if (!this.torn) {
			Files.createFile(file, OwnerOnly.file(file));
		}
		this.out = new FileOutputStream(file.toFile(), true);
	}

	private Path replacement() {
		return this.file.resolveSibling(this.file.getFileName() + ".new");
	}

	/**
	 * Reads all complete records. Anything else, such as the rest of a record after a
	 * power cut, is ignored.
	 */
	void read(Consumer<List<String>> records) throws IOException {
		try (BufferedReader lines = Files.newBufferedReader(this.file, StandardCharsets.ISO_8859_1)) {
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
		String line = (this.torn ? "\n" : "") + line(fields);
		this.torn = true;
		this.out.write(line.getBytes(StandardCharsets.US_ASCII));
		this.torn = false;
	}

	private static String line(List<String> fields) {
		return Stream
			.concat(fields.stream().map((field) -> URLEncoder.encode(field, StandardCharsets.UTF_8)), Stream.of(END))
			.collect(Collectors.joining("\t", "", "\n"));
	}

	/**
	 * Replaces all records. If that fails, or the process is killed meanwhile, the file
	 * keeps the records that it has.
	 * @param records the new records; they are durable afterwards
	 */
	void replace(Iterable<List<String>> records) throws IOException {
		Path replacement = replacement();
		Files.deleteIfExists(replacement);
		Files.createFile(replacement, OwnerOnly.file(replacement));
		FileOutputStream next = new FileOutputStream(replacement.toFile(), true);
		try {
			BufferedOutputStream buffer = new BufferedOutputStream(next, 1 << 16);
			for (List<String> fields : records) {
				buffer.write(line(fields).getBytes(StandardCharsets.US_ASCII));
			}
			buffer.flush();
			next.getFD().sync();
			Files.move(replacement, this.file, StandardCopyOption.ATOMIC_MOVE);
		}
		catch (IOException ex) {
			next.close();
			Files.deleteIfExists(replacement);
			throw ex;
		}
		FileOutputStream before = this.out;
		this.out = next;
		this.torn = false;
		this.named = true;
		before.close();
	}

	/**
	 * Makes the records durable, with the name of the file.
	 */
	void force() throws IOException {
		this.out.getFD().sync();
		if (this.named) {
			try (FileChannel directory = FileChannel.open(this.file.toAbsolutePath().getParent())) {
				directory.force(true);
			}
			this.named = false;
		}
	}

	@Override
	public void close() throws IOException {
		this.out.close();
	}

}
