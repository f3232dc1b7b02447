package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.kairo.host.OwnerOnly;

/**
 * The leases of the applications that remember what is kept for a workspace, each a file
 * that is renewed while the workspace is used. Safe for use by several threads.
 */
final class Leases {

	private static final Logger logger = System.getLogger(Leases.class.getName());

	private static final Duration RENEWAL = Duration.ofMinutes(1);

	private final Path directory;

	private final Path own;

	private final Duration term;

	private final Clock clock;

	private volatile Instant renewed = Instant.MIN;

	/**
	 * Creates the value.
	 * @param own the name of the lease of this application
	 * @param term the time after which an application that does not use the workspace has
	 * forgotten it
	 */
	Leases(Path directory, String own, Duration term, Clock clock) {
		this.directory = directory;
		this.own = directory.resolve(own);
		this.term = term.plus(RENEWAL.multipliedBy(2));
		this.clock = clock;
	}

	/**
	 * Renews the lease of this application, about every minute.
	 */
	void renew() {
		Instant now = this.clock.instant();
		if (this.renewed.isAfter(now.minus(RENEWAL))) {
			return;
		}
		try {
			OwnerOnly.createDirectories(this.directory);
			try {
				Files.createFile(this.own, OwnerOnly.file(this.own));
			}
			catch (FileAlreadyExistsException ex) {
				// it is renewed
			}
			Files.setLastModifiedTime(this.own, FileTime.from(now));
			this.renewed = now;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Other applications may remove what is kept for this one", ex);
		}
	}

	/**
	 * Gives the lease up.
	 */
	void release() {
		this.renewed = Instant.MIN;
		try {
			Files.deleteIfExists(this.own);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A lease could not be given up; it ends later", ex);
		}
	}

	/**
	 * Returns whether another application has a lease.
	 */
	boolean areOthers() throws IOException {
		Instant oldest = this.clock.instant().minus(this.term);
		try (DirectoryStream<Path> leases = Files.newDirectoryStream(this.directory)) {
			for (Path each : leases) {
				if (!each.equals(this.own) && Files.getLastModifiedTime(each).toInstant().isAfter(oldest)) {
					return true;
				}
			}
		}
		catch (NoSuchFileException ex) {
			return false;
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return false;
	}

}
