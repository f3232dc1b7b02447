package io.kairo.workspace.local;

/**
 * What all changes made through one factory share.
 *
 * @param journal tells what is under way
 * @param locks keep changes of the same files apart
 * @param names makes temporary names
 * @param steps is told of each step
 * @param leftovers what could not be removed yet
 */
record WriteState(WriteJournal journal, PathLocks locks, TemporaryNames names, Steps steps, Leftovers leftovers) {

}
