package io.kairo.tools.output;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The outputs of one session, the oldest first. Safe for use by several threads.
 */
public final class SessionOutputs implements AutoCloseable {

	private static final Logger logger = System.getLogger(SessionOutputs.class.getName());

	private final OutputStore store;

	private final String tenantId;

	/** The owner of outputs that outlive the session, null if they do not. */
	private final LastingOutputs.@Nullable Owner lasting;

	private final Map<String, KeptOutput> outputs = new LinkedHashMap<>();

	/** The bytes reserved for each unfinished output. */
	private final Map<Path, Long> reserved = new HashMap<>();

	private long bytes;

	private int lastId;

	private boolean closed;

	SessionOutputs(OutputStore store, String tenantId, LastingOutputs.@Nullable Owner lasting) {
		this.lasting = lasting;
		this.store = store;
		this.tenantId = tenantId;
	}

	/**
	 * Starts a new output.
	 * @return the writer of the output; it drops all bytes if no file can be created
	 */
	public OutputWriter create() {
		this.store.sweep();
		try {
			return new OutputWriter(this, this.store.newFile());
		}
		catch (IOException ex) {
			return new OutputWriter(this, null);
		}
	}

	/**
	 * Finds an output.
	 * @param id the id returned by {@link OutputWriter#finish()}
	 * @return the output, null if it is unknown, removed or expired
	 */
	public @Nullable KeptOutput find(String id) {
		if (this.lasting != null) {
			return this.store.findLasting(this.lasting, id);
		}
		sweep();
		synchronized (this) {
			return this.outputs.get(id);
		}
	}

	/**
	 * Returns whether finished outputs can be found after the session has ended.
	 */
	boolean isLasting() {
		return this.lasting != null;
	}

	/**
	 * Removes all outputs of the session, including unfinished ones, except those that
	 * are kept for later calls.
	 */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
			this.outputs.values().forEach(this::drop);
			this.outputs.clear();
			List.copyOf(this.reserved.keySet()).forEach(this::discard);
		}
		this.store.remove(this);
	}

	/**
	 * Reserves space for a part of an unfinished output. Removes the oldest outputs of
	 * the session as needed.
	 * @param file the file of the output
	 * @param length the number of bytes of the part
	 * @return whether the space was reserved
	 */
	synchronized boolean reserve(Path file, long length) {
		long most = this.store.options().maxBytesPerSession();
		Iterator<KeptOutput> oldest = this.outputs.values().iterator();
		while (this.bytes + length > most && oldest.hasNext()) {
			drop(oldest.next());
			oldest.remove();
		}
		if (this.closed || this.bytes + length > most || !this.store.charge(this.tenantId, length)) {
			return false;
		}
		this.bytes += length;
		this.reserved.merge(file, length, Long::sum);
		return true;
	}

	/**
	 * Releases the space reserved for a part that could not be written.
	 */
	synchronized void giveBack(Path file, long length) {
		if (this.reserved.computeIfPresent(file, (path, size) -> size - length) != null) {
			this.bytes -= length;
			this.store.release(this.tenantId, length);
		}
	}

	/**
	 * Keeps a finished output.
	 * @return the id of the output, null if the session has ended in the meantime
	 */
	synchronized @Nullable String keep(Path file) {
		if (this.closed) {
			discard(file);
			return null;
		}
		if (this.lasting != null) {
			String id = this.store.last(this.lasting, file);
			discard(file);
			return id;
		}
		Long size = this.reserved.remove(file);
		KeptOutput output = new KeptOutput(file, (size != null) ? size : 0, this.store.now());
		String id = String.valueOf(++this.lastId);
		this.outputs.put(id, output);
		Iterator<KeptOutput> oldest = this.outputs.values().iterator();
		while (this.outputs.size() > this.store.options().maxOutputsPerSession()) {
			drop(oldest.next());
			oldest.remove();
		}
		return id;
	}

	/**
	 * Removes an unfinished output and releases the space reserved for it.
	 */
	synchronized void discard(Path file) {
		Long size = this.reserved.remove(file);
		drop(new KeptOutput(file, (size != null) ? size : 0, this.store.now()));
	}

	synchronized void sweep() {
		Instant expired = this.store.now().minus(this.store.options().maxAge());
		List<String> old = new ArrayList<>();
		this.outputs.forEach((id, output) -> {
			if (output.kept().isBefore(expired)) {
				drop(output);
				old.add(id);
			}
		});
		old.forEach(this.outputs::remove);
	}

	private void drop(KeptOutput output) {
		this.bytes -= output.size();
		this.store.release(this.tenantId, output.size());
		try {
			Files.deleteIfExists(output.file());
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Failed to delete the file of an output; it is deleted with the private directory",
					ex);
		}
	}

}
