package io.kairo.workspace.local;

/**
 * What a descent may reach.
 *
 * @param roots where it may go
 * @param hidden what it does not see
 * @param opener opens what it starts from
 */
record Confinement(RootSet roots, HiddenDirectory hidden, DirectoryOpener opener) {

}
