package io.kairo.workspace.checkpoint;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * A step of a session. Immutable.
 *
 * @param number its number in the session, ascending
 * @param time when it ended
 * @param kind what it was
 * @param title what it did, or the name of a checkpoint
 * @param deltas its changes
 * @param undone the numbers of the calls that are undone after an undoing
 * @param from the number of the first step that it undid, 0 for other steps
 */
record Step(long number, Instant time, Kind kind, String title, List<Delta> deltas, Set<Long> undone, long from) {

	static final int MAX_TITLE = 200;

	private static final int FORMAT = 1;

	Step {
		title = (title.length() > MAX_TITLE) ? title.substring(0, MAX_TITLE) + "…" : title;
		time = time.truncatedTo(ChronoUnit.MILLIS);
		deltas = List.copyOf(deltas);
		undone = Set.copyOf(undone);
	}

	Step with(List<Delta> changes) {
		return new Step(this.number, this.time, this.kind, this.title, changes, this.undone, this.from);
	}

	/**
	 * Returns whether the step was made by the session, so that it can be undone.
	 */
	boolean isCall() {
		return this.kind == Kind.CALL || this.kind == Kind.COMMIT;
	}

	void write(DataOutputStream out) throws IOException {
		out.writeInt(FORMAT);
		out.writeLong(this.number);
		out.writeLong(this.time.toEpochMilli());
		out.writeUTF(this.kind.name());
		out.writeUTF(this.title);
		out.writeLong(this.from);
		out.writeInt(this.undone.size());
		for (long each : this.undone) {
			out.writeLong(each);
		}
		out.writeInt(this.deltas.size());
		for (Delta delta : this.deltas) {
			out.writeUTF(delta.path().root().toString());
			out.writeUTF(delta.path().relative());
			write(delta.before(), out);
			write(delta.after(), out);
		}
	}

	private static void write(@Nullable Node node, DataOutputStream out) throws IOException {
		out.writeBoolean(node != null);
		if (node != null) {
			out.writeUTF(node.type().name());
			out.writeLong(node.size());
			write(node.mode(), out);
			out.writeUTF(node.stamp());
			write(node.content(), out);
		}
	}

	private static void write(@Nullable String text, DataOutputStream out) throws IOException {
		out.writeBoolean(text != null);
		if (text != null) {
			out.writeUTF(text);
		}
	}

	/**
	 * Reads a step.
	 * @throws IOException if it cannot be read
	 * @throws IllegalArgumentException if it is damaged
	 */
	static Step read(DataInputStream in) throws IOException {
		if (in.readInt() != FORMAT) {
			throw new IllegalArgumentException("The step has another format");
		}
		long number = in.readLong();
		Instant time = Instant.ofEpochMilli(in.readLong());
		Kind kind = Kind.valueOf(in.readUTF());
		String title = in.readUTF();
		long from = in.readLong();
		Set<Long> undone = new HashSet<>();
		for (int i = in.readInt(); i > 0; i--) {
			undone.add(in.readLong());
		}
		List<Delta> deltas = new ArrayList<>();
		for (int i = in.readInt(); i > 0; i--) {
			WorkspacePath path = new WorkspacePath(Path.of(in.readUTF()), in.readUTF());
			deltas.add(new Delta(path, node(in), node(in)));
		}
		return new Step(number, time, kind, title, deltas, undone, from);
	}

	private static @Nullable Node node(DataInputStream in) throws IOException {
		return in.readBoolean()
				? new Node(FileType.valueOf(in.readUTF()), in.readLong(), text(in), in.readUTF(), text(in)) : null;
	}

	private static @Nullable String text(DataInputStream in) throws IOException {
		return in.readBoolean() ? in.readUTF() : null;
	}

	/**
	 * The kind of a step.
	 */
	enum Kind {

		/** A change of a file tool, or a command. */
		CALL,

		/** The undoing of other steps. */
		REWIND,

		/** The undoing of an undoing. */
		REDO,

		/** A checkpoint, without changes. */
		CHECKPOINT,

		/** The commit of a trial. */
		COMMIT

	}

}
