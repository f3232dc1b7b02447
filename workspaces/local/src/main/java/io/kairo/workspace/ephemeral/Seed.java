package io.kairo.workspace.ephemeral;

import java.nio.file.Path;

/**
 * A directory that is copied into a new workspace.
 *
 * @param directory its real path
 * @param name its path below the seeds, fit to be shown in messages
 */
record Seed(Path directory, String name) {

}
