package io.kairo.workspace.local;

/**
 * What was copied from a directory. Immutable.
 *
 * @param files how many files, directories and links together
 * @param bytes the sum of the sizes of the files
 * @param skipped how many sockets, FIFOs and devices were left out
 * @param way how the bytes of the files were copied
 * @since 0.1.0
 */
public record CopiedTree(long files, long bytes, long skipped, CopyWay way) {

}
