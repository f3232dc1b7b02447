package io.kairo.governance.audit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.kairo.host.OwnerOnly;
import org.jspecify.annotations.Nullable;

/**
 * A sink that appends records to files of a directory, as lines of JSON in a hash chain
 * that continues from file to file. Only the owner of the process can read them. One
 * process at a time can write to a directory. A write that fails leaves no part of a
 * record behind.
 */
public final class FileAuditSink implements AuditSink {

	static final String NAME = "file";

	private static final Logger logger = System.getLogger(FileAuditSink.class.getName());

	/** Space for a batch of records. */
	private static final long MIN_FREE = 1 << 20;

	private final AuditFileOptions options;

	private final AuditFiles files;

	private final HashChain chain;

	private final FileChannel lock;

	private volatile ChainHead head;

	/** The file that is written to, null before the first record and after a failure. */
	private @Nullable FileChannel channel;

	/** The current file, null before the first record. */
	private @Nullable Path file;

	/** The size of the records in the current file that were written. */
	private long size;

	/**
	 * Opens the files.
	 * @param options the options
	 * @param chain the hashes
	 * @throws IllegalArgumentException if the name of the chain is invalid
	 * @throws AuditException if the directory cannot be used, another process uses it, or
	 * the last record was changed
	 */
	public FileAuditSink(AuditFileOptions options, HashChain chain) {
		this.options = options;
		this.chain = chain.named(NAME, options.chain());
		this.files = new AuditFiles(options.directory());
		try {
			OwnerOnly.createDirectories(options.directory());
			this.lock = lock(options.directory());
		}
		catch (IOException ex) {
			throw new AuditException("The directory " + options.directory() + " of the audit cannot be used: " + ex,
					ex);
		}
		try {
			this.head = recover();
		}
		catch (IOException | RuntimeException ex) {
			close();
			throw (ex instanceof AuditException known) ? known : new AuditException(
					"The files of the audit in " + options.directory() + " cannot be read: " + ex, ex);
		}
	}

	private static FileChannel lock(Path directory) throws IOException {
		FileChannel channel = FileChannel.open(directory.resolve("lock"),
				Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file(directory));
		try {
			FileLock lock = channel.tryLock();
			if (lock != null) {
				return channel;
			}
		}
		catch (OverlappingFileLockException ex) {
			// of this process
		}
		channel.close();
		throw new AuditException("The directory " + directory
				+ " of the audit is in use by another process: give each process a directory of its own", null);
	}

	/**
	 * Finds the last record, and removes an incomplete line: it was being written when
	 * the process was killed.
	 */
	private ChainHead recover() throws IOException {
		List<Path> existing = this.files.list();
		for (int i = existing.size() - 1; i >= 0; i--) {
			Path last = existing.get(i);
			this.file = last;
			this.size = endOfLastLine(last);
			if (this.size < Files.size(last)) {
				logger.log(Level.WARNING, "Removed the unfinished line at the end of " + last
						+ ", which was being written when the process ended");
				try (FileChannel truncated = FileChannel.open(last, StandardOpenOption.WRITE)) {
					truncated.truncate(this.size);
				}
			}
			if (this.size > 0) {
				return headOf(last, this.size);
			}
			// begun, but without a record
		}
		return this.files.anchor(this.chain);
	}

	private ChainHead headOf(Path last, long end) throws IOException {
		ChainLine line = ChainLine.parse(lastLine(last, end));
		if (line == null || !line.isIntact(this.chain)) {
			throw new AuditException("The last record of " + last + " was changed, or has another key or name of its "
					+ "chain: move the files of " + last.getParent() + " away to begin a new audit, and keep them",
					null);
		}
		return line.head();
	}

	private static long endOfLastLine(Path file) throws IOException {
		try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
			return beginOfLine(content, content.length(), 0);
		}
	}

	private static String lastLine(Path file, long end) throws IOException {
		try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "r")) {
			long begin = beginOfLine(content, end - 1, Math.max(0, end - 1 - AuditFiles.MAX_LINE));
			byte[] line = new byte[(int) Math.max(0, end - 1 - begin)];
			content.seek(begin);
			content.readFully(line);
			return new String(line, StandardCharsets.ISO_8859_1);
		}
	}

	/**
	 * Returns the position after the last line feed between two positions, the first of
	 * them if there is none.
	 */
	private static long beginOfLine(RandomAccessFile content, long end, long least) throws IOException {
		byte[] block = new byte[8192];
		for (long last = end; last > least;) {
			long first = Math.max(least, last - block.length);
			int length = (int) (last - first);
			content.seek(first);
			content.readFully(block, 0, length);
			while (length > 0) {
				if (block[--length] == '\n') {
					return first + length + 1;
				}
			}
			last = first;
		}
		return least;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public synchronized void append(List<AuditRecord> records) {
		ChainHead next = this.head;
		ByteArrayOutputStream lines = new ByteArrayOutputStream();
		for (AuditRecord record : records) {
			String json = AuditJson.write(record);
			ChainHead before = next;
			next = this.chain.next(before, json);
			lines.writeBytes((new ChainLine(next.sequence(), before.hash(), json, next.hash()).text() + "\n")
				.getBytes(StandardCharsets.US_ASCII));
		}
		try {
			write(lines.toByteArray(), this.head.sequence() + 1);
		}
		catch (IOException ex) {
			closeFile();
			throw new AuditException("The audit cannot be written to " + this.options.directory() + ": " + ex, ex);
		}
		this.head = next;
	}

	private void write(byte[] lines, long first) throws IOException {
		FileChannel target = fileFor(first);
		target.truncate(this.size); // the rest of a failed write
		ByteBuffer buffer = ByteBuffer.wrap(lines);
		while (buffer.hasRemaining()) {
			target.write(buffer, this.size + buffer.position());
		}
		if (this.options.sync()) {
			target.force(false);
		}
		this.size += lines.length;
	}

	/**
	 * Returns the file for the next records, a new one if the current one is full.
	 */
	private FileChannel fileFor(long first) throws IOException {
		boolean full = this.size >= this.options.maxFileBytes();
		if (this.file == null || full) {
			closeFile();
			Path begun = this.files.beginning(first);
			this.channel = FileChannel.open(begun, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
					OwnerOnly.file(begun));
			this.file = begun;
			this.size = 0;
			syncDirectory();
			removeOldest();
		}
		else if (this.channel == null) {
			this.channel = FileChannel.open(this.file, StandardOpenOption.WRITE);
		}
		return this.channel;
	}

	private void syncDirectory() throws IOException {
		if (this.options.sync()) {
			try (FileChannel directory = FileChannel.open(this.options.directory(), StandardOpenOption.READ)) {
				directory.force(true);
			}
		}
	}

	/**
	 * Removes the oldest files, after an anchor for the record that is then the first. A
	 * file that is young, or does not end with an intact record, is kept.
	 */
	private void removeOldest() throws IOException {
		if (this.options.maxFiles() == 0) {
			return;
		}
		List<Path> existing = this.files.list();
		Instant young = Instant.now().minus(this.options.minAge());
		for (Path old : existing.subList(0, Math.max(0, existing.size() - this.options.maxFiles()))) {
			if (Files.getLastModifiedTime(old).toInstant().isAfter(young)) {
				logger.log(Level.WARNING, "The audit has " + existing.size() + " files, more than "
						+ this.options.maxFiles() + ", since " + old + " is younger than " + this.options.minAge());
				return;
			}
			ChainHead last;
			try {
				last = headOf(old, Files.size(old));
			}
			catch (AuditException ex) {
				logger.log(Level.ERROR, "The audit keeps " + old + ": " + ex.getMessage());
				return;
			}
			anchor(last);
			Files.deleteIfExists(old);
			logger.log(Level.INFO, "Removed " + old + " of the audit: " + last.sequence()
					+ " records have been removed; the chain is at " + this.head);
		}
	}

	private void anchor(ChainHead last) throws IOException {
		Path next = this.options.directory().resolve("anchor.new");
		Files.deleteIfExists(next);
		try (FileChannel written = FileChannel.open(next,
				Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OwnerOnly.file(next))) {
			written.write(ByteBuffer.wrap(AuditFiles.anchor(this.chain, last).getBytes(StandardCharsets.US_ASCII)));
			written.force(true);
		}
		Files.move(next, this.options.directory().resolve(AuditFiles.ANCHOR), StandardCopyOption.ATOMIC_MOVE);
		syncDirectory();
	}

	private void closeFile() {
		FileChannel open = this.channel;
		this.channel = null;
		if (open != null) {
			try {
				open.close();
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "A file of the audit could not be closed", ex);
			}
		}
	}

	/**
	 * {@inheritDoc} Verifies that there is space on the disk.
	 */
	@Override
	public void check() {
		try {
			long free = Files.getFileStore(this.options.directory()).getUsableSpace();
			if (free < MIN_FREE) {
				throw new AuditException("The disk of " + this.options.directory() + " has " + free + " bytes left",
						null);
			}
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	@Override
	public Optional<ChainHead> head() {
		return Optional.of(this.head);
	}

	/**
	 * {@inheritDoc} The head that this sink has is known in any case.
	 */
	@Override
	public Optional<ChainReport> verify(Optional<ChainHead> known) {
		try {
			return Optional.of(this.files.verify(this.chain, known.or(this::head)));
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	@Override
	public Optional<List<AuditRecord>> recordsOf(String tenant, String session) {
		try {
			return Optional.of(this.files.recordsOf(tenant, session));
		}
		catch (IOException ex) {
			throw unreadable(ex);
		}
	}

	private AuditException unreadable(IOException ex) {
		return new AuditException("The files of the audit in " + this.options.directory() + " cannot be read: " + ex,
				ex);
	}

	@Override
	public synchronized void close() {
		closeFile();
		try {
			this.lock.close();
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The lock of the audit could not be released", ex);
		}
	}

}
