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
 *
 * @since 0.1.0
 */
public final class SessionOutputs implements AutoCloseable {

	private static final Logger logger = System.getLogger(SessionOutputs.class.getName());

	private final OutputStore store;

	private final String tenantId;

	private final Map<String, KeptOutput> outputs = new LinkedHashMap<>();

	/** What is reserved for the outputs that are under way. */
	private final Map<Path, Long> reserved = new HashMap<>();

	private long bytes;

	private int lastId;

	private boolean closed;

	SessionOutputs(OutputStore store, String tenantId) {
		this.store = store;
		this.tenantId = tenantId;
	}

	/**
	 * Starts to keep an output.
	 * @return takes the output; one that cannot be kept takes and drops it
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
	 * @param id what the writer returned
	 * @return the output, null if there is none or it has expired
	 */
	public @Nullable KeptOutput find(String id) {
		sweep();
		synchronized (this) {
			return this.outputs.get(id);
		}
	}

	/**
	 * Removes all outputs of the session, also those that are under way.
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
	 * Reserves room for a part of an output that is under way.
	 * @param file where the output is
	 * @param length how long the part is
	 * @return false if there is none
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
	 * Gives back what was reserved for a part that could not be written.
	 */
	synchronized void giveBack(Path file, long length) {
		if (this.reserved.computeIfPresent(file, (path, size) -> size - length) != null) {
			this.bytes -= length;
			this.store.release(this.tenantId, length);
		}
	}

	/**
	 * Keeps a finished output.
	 * @return its id, null if the session has ended meanwhile
	 */
	synchronized @Nullable String keep(Path file) {
		if (this.closed) {
			discard(file);
			return null;
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
	 * Removes an output that is under way, and gives back what is reserved for it.
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
			logger.log(Level.DEBUG, "Cannot delete an output; it goes with the private directory", ex);
		}
	}

}
