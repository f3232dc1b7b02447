package io.kairo.api.workspace;

/**
 * The counts of a walk. Immutable.
 *
 * @param files number of regular files visited
 * @param directories number of directories entered, including the first one
 * @param links number of symbolic links; none was followed
 * @param others number of skipped FIFOs, sockets and devices
 * @param unreadable number of entries that could not be opened or whose names cannot be
 * in a {@link WorkspacePath}
 * @param stopped whether the visitor, or an interrupt of the calling thread, ended the
 * walk early
 */
public record WalkReport(long files, long directories, long links, long others, long unreadable, boolean stopped) {

}
