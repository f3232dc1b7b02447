package io.kairo.workspace.local.disk;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

import org.jspecify.annotations.Nullable;

/**
 * A line of the journal: a checksum, the number of the transaction, a verb and its
 * fields. Paths are written as URIs, to preserve names that are not text.
 *
 * @param transaction the number of the transaction
 * @param verb the action to be taken, or the state reached
 * @param fields the operands
 */
record JournalRecord(long transaction, String verb, List<String> fields) {

	/** A name to be removed. */
	static final String TEMPORARY = "TEMPORARY";

	/** A name to be removed once the transaction is committed. */
	static final String RELOCATED = "RELOCATED";

	/** The transaction is committed. */
	static final String COMMIT = "COMMIT";

	/** The transaction needs no cleanup. */
	static final String DONE = "DONE";

	static JournalRecord of(long transaction, String verb) {
		return new JournalRecord(transaction, verb, List.of());
	}

	static JournalRecord temporary(long transaction, EntryRef ref) {
		return new JournalRecord(transaction, TEMPORARY, ref(ref));
	}

	static JournalRecord relocated(long transaction, EntryRef ref) {
		return new JournalRecord(transaction, RELOCATED, ref(ref));
	}

	static JournalRecord undo(long transaction, Undo undo) {
		List<String> fields = new ArrayList<>(ref(undo.ref()));
		fields.add(undo.identity());
		fields.add(undo.original());
		if (undo.home() != null) {
			fields.addAll(ref(undo.home()));
			fields.add(undo.displaced());
		}
		return new JournalRecord(transaction, undo.kind().name(), fields);
	}

	private static List<String> ref(EntryRef ref) {
		return List.of(text(ref.directory().base()), text(ref.directory().path().resolve(ref.name())));
	}

	private static String text(Path path) {
		return path.toUri().toString();
	}

	/**
	 * Returns the path in a field.
	 */
	Path path(int field) {
		return Path.of(URI.create(this.fields.get(field)));
	}

	byte[] toBytes() {
		StringBuilder line = new StringBuilder().append(this.transaction).append(' ').append(this.verb);
		this.fields.forEach((field) -> line.append(' ').append(field));
		String text = line.toString();
		return (checkSum(text) + " " + text + "\n").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Parses a line.
	 * @return the record, null if the line is incomplete
	 */
	static @Nullable JournalRecord parse(String line) {
		int space = line.indexOf(' ');
		if (space < 0 || !line.substring(0, space).equals(checkSum(line.substring(space + 1)))) {
			return null;
		}
		List<String> words = Arrays.asList(line.substring(space + 1).split(" ", -1));
		return (words.size() < 2) ? null
				: new JournalRecord(Long.parseLong(words.get(0)), words.get(1), words.subList(2, words.size()));
	}

	private static String checkSum(String text) {
		CRC32 sum = new CRC32();
		sum.update(text.getBytes(StandardCharsets.UTF_8));
		return Long.toHexString(sum.getValue());
	}

}
