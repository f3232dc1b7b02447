package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import io.kairo.host.Claim;
import io.kairo.host.OwnerOnly;
import io.kairo.host.ProcessIdentity;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * Cleans up after processes that ended during a change: rolls back changes that were not
 * committed and removes entries with temporary names.
 */
final class JournalSweep {

	private static final System.Logger logger = System.getLogger(JournalSweep.class.getName());

	private final StateDirectory state;

	private final ProcessIdentity process;

	private final DirectoryOpener opener;

	/** The journals with changes of other workspaces. Each is logged once. */
	private final Set<Path> kept = ConcurrentHashMap.newKeySet();

	JournalSweep(StateDirectory state, ProcessIdentity process, DirectoryOpener opener) {
		this.state = state;
		this.process = process;
		this.opener = opener;
	}

	/**
	 * Cleans up the changes of a workspace as far as possible. The rest is retried the
	 * next time. Changes of other workspaces are left to those, and forged lines have no
	 * effect outside of the roots.
	 * @param roots the real paths of the roots of the workspace
	 */
	void run(List<Path> roots) {
		RecordedEntries entries = new RecordedEntries(this.opener, roots);
		try (DirectoryStream<Path> journals = Files.newDirectoryStream(this.state.existing(WriteJournal.DIRECTORY))) {
			for (Path journal : journals) {
				// closing a journal of this process would release its lock
				if (!journal.getFileName().toString().startsWith(this.process.prefix())) {
					sweep(journal, entries);
				}
			}
		}
		catch (NoSuchFileException ex) {
			// Nothing was ever written.
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot look for interrupted changes", ex);
		}
	}

	private void sweep(Path journal, RecordedEntries entries) {
		try {
			OwnerOnly.require(journal);
			try (Claim abandoned = Claim.takeOver(journal)) {
				if (abandoned != null
						&& finish(journal, new String(abandoned.readAllBytes(), StandardCharsets.UTF_8), entries)) {
					abandoned.delete();
					this.kept.remove(journal);
				}
			}
		}
		catch (NoSuchFileException ex) {
			// Another process has finished it.
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.WARNING, "Cannot clean up after an interrupted change", ex);
		}
	}

	private boolean finish(Path journal, String text, RecordedEntries entries) {
		Map<Long, List<JournalRecord>> transactions = new LinkedHashMap<>();
		text.lines().map(JournalRecord::parse).forEach((line) -> {
			if (line != null && line.verb().equals(JournalRecord.DONE)) {
				transactions.remove(line.transaction());
			}
			else if (line != null) {
				transactions.computeIfAbsent(line.transaction(), (number) -> new ArrayList<>()).add(line);
			}
		});
		boolean finished = true;
		for (List<JournalRecord> lines : transactions.values()) {
			if (lines.stream().allMatch(entries::contain)) {
				Collections.reverse(lines);
				finished &= finish(lines, entries);
			}
			else if (!lines.stream().allMatch(RecordedEntries::areGone)) {
				finished = false;
				if (this.kept.add(journal)) {
					logger.log(Level.INFO, "An interrupted change outside of the roots of this workspace is ignored;"
							+ " it is cleaned up when a workspace that contains it is opened");
				}
			}
		}
		return finished;
	}

	/**
	 * Finishes a transaction. The lines are given in reverse order.
	 */
	private boolean finish(List<JournalRecord> lines, RecordedEntries entries) {
		if (lines.stream().anyMatch((line) -> line.verb().equals(JournalRecord.COMMIT))) {
			boolean relocated = remove(lines, entries, JournalRecord.RELOCATED, (name) -> true);
			return remove(lines, entries, JournalRecord.TEMPORARY, (name) -> true) && relocated;
		}
		Set<Path> backups = new HashSet<>();
		lines.stream()
			.filter((line) -> line.verb().equals(Undo.Kind.BACK.name()))
			.forEach((line) -> backups.add(line.path(1)));
		boolean finished = remove(lines, entries, JournalRecord.TEMPORARY, (name) -> !backups.contains(name));
		Map<String, String> originals = new HashMap<>();
		lines.stream()
			.filter((line) -> backups.contains(line.path(1)) && line.fields().size() > 3)
			.forEach((line) -> addOriginal(line, originals));
		Set<Path> lastCopies = new HashSet<>();
		for (JournalRecord line : lines) {
			if (!line.verb().equals(JournalRecord.TEMPORARY) && !line.verb().equals(JournalRecord.RELOCATED)) {
				finished &= attempt(() -> undo(line, entries, originals, lastCopies));
			}
		}
		return finished && lastCopies.isEmpty();
	}

	private static void addOriginal(JournalRecord line, Map<String, String> originals) {
		String identity = line.fields().get(2);
		String original = line.fields().get(3);
		if (!identity.equals(original)) {
			originals.put(identity, original);
		}
	}

	private boolean remove(List<JournalRecord> lines, RecordedEntries entries, String verb, Predicate<Path> which) {
		boolean finished = true;
		for (JournalRecord line : lines) {
			if (line.verb().equals(verb) && which.test(line.path(1))) {
				finished &= attempt(() -> entries.remove(line));
			}
		}
		return finished;
	}

	private boolean attempt(DiskAction action) {
		try {
			action.run();
			return true;
		}
		catch (NoSuchFileException | NotDirectoryException ex) {
			return true; // there is nothing to be cleaned up any more
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot clean up after an interrupted change", ex);
			return false;
		}
	}

	private void undo(JournalRecord line, RecordedEntries entries, Map<String, String> originals, Set<Path> lastCopies)
			throws IOException {
		Undo.Kind kind = Undo.Kind.valueOf(line.verb());
		EntryRef ref = entries.open(line, 0);
		try (OpenDirectory directory = ref.directory()) {
			String identity = line.fields().get(2);
			String original = line.fields().get(3);
			if (kind != Undo.Kind.BACK) {
				new Undo(kind, ref, identity, original, null, EntryRef.NOTHING).run(originals);
				return;
			}
			EntryRef home = entries.open(line, 4);
			try (OpenDirectory homeDirectory = home.directory()) {
				Undo undo = new Undo(kind, ref, identity, original, home, line.fields().get(6));
				undo.run(originals);
				if (undo.isLastCopy()) {
					lastCopies.add(line.path(1));
				}
				else if (TemporaryNames.is(ref.name()) && ref.find() != null) {
					ref.remove(); // before the directory goes that it is in
				}
			}
		}
	}

}
