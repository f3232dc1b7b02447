package io.kairo.workspace.git;

import java.io.File;

import io.kairo.host.HostUser;
import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * Keeps JGit from writing to the home directory of the user that runs the application,
 * where it records the clock resolution of each file system, and from reading the
 * configuration of a user without a home directory in the working directory. JGit has a
 * single reader per JVM; this one wraps it, changes nothing else and has no state.
 */
final class QuietSystemReader extends SystemReader.Delegate {

	/** A path without files below it. */
	private static final String NOWHERE = "/dev/null";

	private QuietSystemReader(SystemReader reader) {
		super(reader);
	}

	/**
	 * Installs the reader unless it is installed already.
	 */
	static void install() {
		synchronized (QuietSystemReader.class) {
			SystemReader current = SystemReader.getInstance();
			if (!(current instanceof QuietSystemReader)) {
				SystemReader.setInstance(new QuietSystemReader(current));
			}
		}
	}

	@Override
	public @Nullable String getProperty(String key) {
		return (key.equals("user.home") && HostUser.home() == null) ? NOWHERE : super.getProperty(key);
	}

	@Override
	public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
		return new Unwritten(parent, super.openJGitConfig(parent, fs).getFile(), fs);
	}

	/**
	 * A configuration that is read but never saved.
	 */
	private static final class Unwritten extends FileBasedConfig {

		Unwritten(@Nullable Config parent, File file, FS fs) {
			super(parent, file, fs);
		}

		@Override
		public void save() {
			// The measurements stay valid in memory while this process runs.
		}

	}

}
