package io.kairo.workspace.git;

import java.io.File;

import org.eclipse.jgit.lib.Config;
import org.eclipse.jgit.storage.file.FileBasedConfig;
import org.eclipse.jgit.util.FS;
import org.eclipse.jgit.util.SystemReader;
import org.jspecify.annotations.Nullable;

/**
 * Keeps JGit from writing into the home directory of whoever runs the application, where
 * it notes how exact the clock of each file system is. JGit has one reader for all who
 * use it, so that this one is put in front of the one that is there, changes nothing else
 * and has no state.
 */
final class QuietSystemReader extends SystemReader.Delegate {

	private QuietSystemReader(SystemReader reader) {
		super(reader);
	}

	/**
	 * Puts it in place, unless it is.
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
	public FileBasedConfig openJGitConfig(@Nullable Config parent, FS fs) {
		return new Unwritten(parent, super.openJGitConfig(parent, fs).getFile(), fs);
	}

	/**
	 * Is read as ever, and never saved.
	 */
	private static final class Unwritten extends FileBasedConfig {

		Unwritten(@Nullable Config parent, File file, FS fs) {
			super(parent, file, fs);
		}

		@Override
		public void save() {
			// What was measured is good for as long as this process runs.
		}

	}

}
