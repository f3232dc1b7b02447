package io.kairo.api.workspace;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * Overlays in which the commands of a session find the files of a trial, so that they
 * need not be copied. Safe for use by several threads.
 */
@FunctionalInterface
public interface TrialOverlays {

	/** No overlays: the files are copied. */
	TrialOverlays NONE = (lower, layer) -> null;

	/**
	 * Mounts an overlay.
	 * @param lower the real path of the directory that it shows
	 * @param layer an existing directory that nothing else uses. Its directory
	 * {@code upper} receives what is changed, in the format of overlayfs with
	 * {@code userxattr}
	 * @return the overlay, to be closed before the layer is removed; null if there can be
	 * none
	 */
	@Nullable Overlay mount(Path lower, Path layer);

	/**
	 * A directory that shows the files of another one to the commands of a session, and
	 * keeps what is changed in it elsewhere. The session lasts at least until it is
	 * closed.
	 *
	 * @param directory the path that opens it on this machine, and by which commands of
	 * the session are started in it. It may lead through a process of the sandbox: its
	 * real path is another directory then
	 * @param intact whether the path has led to it until now. What was read is valid only
	 * if this is true afterwards
	 * @param end ends it, at the first time
	 */
	record Overlay(Path directory, BooleanSupplier intact, Runnable end) implements AutoCloseable {

		/**
		 * Creates the value.
		 */
		public Overlay {
			Objects.requireNonNull(directory, "directory");
			Objects.requireNonNull(intact, "intact");
			Objects.requireNonNull(end, "end");
		}

		/**
		 * Ends it. Commands that still run in it keep it for themselves. Does nothing
		 * after the first time.
		 */
		@Override
		public void close() {
			this.end.run();
		}

	}

}
