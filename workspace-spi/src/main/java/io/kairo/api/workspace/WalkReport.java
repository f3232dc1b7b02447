package io.kairo.api.workspace;

/**
 * What a walk met. Immutable.
 *
 * @param files how many regular files were visited
 * @param directories how many directories were entered, the first one included
 * @param links how many symbolic links were not followed
 * @param others how many FIFOs, sockets and devices were passed over
 * @param unreadable how many entries could not be opened or have names that cannot be a
 * {@link WorkspacePath}
 * @param stopped whether the visitor ended the walk early
 * @since 0.1.0
 */
public record WalkReport(long files, long directories, long links, long others, long unreadable, boolean stopped) {

}
