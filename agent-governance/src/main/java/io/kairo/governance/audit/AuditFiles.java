package io.kairo.governance.audit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The files of an audit: {@code audit-<number of the first record>.jsonl}, in the order
 * of their names.
 */
final class AuditFiles {

	private static final Pattern NAME = Pattern.compile("audit-[0-9]{18}\\.jsonl");

	/** The file with the last record that was removed. */
	static final String ANCHOR = "anchor";

	/** In place of a record; records have other fields. */
	private static final String ANCHORED = "{\"anchor\":true}";

	/**
	 * Maximum number of characters of a line. It leaves room for a record with something
	 * that cannot be left out of it, such as a decision of the application.
	 */
	static final int MAX_LINE = 4 * AuditRecord.MAX_CHARACTERS;

	private final Path directory;

	AuditFiles(Path directory) {
		this.directory = directory;
	}

	/**
	 * Returns the files, the oldest first.
	 */
	List<Path> list() throws IOException {
		try (Stream<Path> entries = Files.list(this.directory)) {
			return entries.filter((entry) -> NAME.matcher(entry.getFileName().toString()).matches()).sorted().toList();
		}
	}

	Path beginning(long sequence) {
		return this.directory.resolve(String.format("audit-%018d.jsonl", sequence));
	}

	/**
	 * Returns the content of the anchor, with a hash like a record.
	 * @param last the last record that is removed
	 */
	static String anchor(HashChain chain, ChainHead last) {
		String hash = chain.hash(last.sequence(), last.hash(), ANCHORED);
		return new ChainLine(last.sequence(), last.hash(), ANCHORED, hash).text();
	}

	/**
	 * Returns the last record that was removed, {@link ChainHead#NONE} without an intact
	 * anchor.
	 */
	ChainHead anchor(HashChain chain) throws IOException {
		Path file = this.directory.resolve(ANCHOR);
		if (!Files.exists(file)) {
			return ChainHead.NONE;
		}
		String text;
		try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
			text = readLine(reader);
		}
		ChainLine line = (text != null) ? ChainLine.parse(text) : null;
		return (line != null && line.record().equals(ANCHORED) && line.isIntact(chain))
				? new ChainHead(line.sequence(), line.previous()) : ChainHead.NONE;
	}

	/**
	 * Verifies the records of all files. A last line without its end is being written, or
	 * was when the JVM was killed; nobody was told that it is written.
	 */
	ChainReport verify(HashChain chain, Optional<ChainHead> known) throws IOException {
		if (!Files.isDirectory(this.directory)) {
			throw new NotDirectoryException(this.directory.toString());
		}
		ChainCheck check = new ChainCheck(chain, known);
		List<Path> files = list();
		for (int i = 0; i < files.size(); i++) {
			try {
				verify(files.get(i), check, i == files.size() - 1);
			}
			catch (NoSuchFileException ex) {
				// removed meanwhile, since there are enough newer ones; else it is
				// missing
			}
		}
		// read last, since files may have been removed meanwhile
		return check.report(anchor(chain));
	}

	private static void verify(Path file, ChainCheck check, boolean last) throws IOException {
		boolean complete = endsWithLine(file);
		try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
			int number = 0;
			String next = readLine(reader);
			while (next != null) {
				String text = next;
				number++;
				next = readLine(reader);
				if (next == null && last && !complete) {
					return;
				}
				String place = file.getFileName() + ", line " + number;
				ChainLine line = ChainLine.parse(text);
				if (line != null) {
					check.add(line, place);
				}
				else {
					check.unreadable(place);
				}
			}
		}
	}

	/**
	 * Reads a line without keeping more of it than a record can have.
	 * @return the line, empty if it is too long; null at the end
	 */
	private static @Nullable String readLine(BufferedReader reader) throws IOException {
		int next = reader.read();
		if (next < 0) {
			return null;
		}
		StringBuilder line = new StringBuilder();
		for (; next >= 0 && next != '\n'; next = reader.read()) {
			if (line.length() <= MAX_LINE) {
				line.append((char) next);
			}
		}
		return (line.length() <= MAX_LINE) ? line.toString() : "";
	}

	/**
	 * Returns the records of a session. Anything else is left out.
	 */
	List<AuditRecord> recordsOf(String tenant, String session) throws IOException {
		List<AuditRecord> records = new ArrayList<>();
		for (Path file : list()) {
			try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
				for (String text = readLine(reader); text != null; text = readLine(reader)) {
					ChainLine line = ChainLine.parse(text);
					AuditRecord record = (line != null) ? AuditJson.read(line.record()) : null;
					if (record != null && tenant.equals(record.caller().tenant())
							&& session.equals(record.caller().session())) {
						records.add(record);
					}
				}
			}
		}
		return records;
	}

	private static boolean endsWithLine(Path file) throws IOException {
		try (SeekableByteChannel channel = Files.newByteChannel(file)) {
			if (channel.size() == 0) {
				return true;
			}
			channel.position(channel.size() - 1);
			ByteBuffer last = ByteBuffer.allocate(1);
			return channel.read(last) == 1 && last.get(0) == '\n';
		}
	}

}
