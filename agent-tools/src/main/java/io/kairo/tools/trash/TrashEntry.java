package io.kairo.tools.trash;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.kairo.api.workspace.FileType;
import org.jspecify.annotations.Nullable;

/**
 * A deleted file, directory or link in the trash. Immutable. Everything but its path is
 * in the name of the directory that contains it, so that the trash is counted by listing
 * it.
 *
 * @param id its id, unique within the trash of its workspace
 * @param deleted the time of its deletion
 * @param type its type
 * @param files number of regular files in it
 * @param entries number of files, directories and links in it, itself included
 * @param bytes sum of the sizes of the files
 */
public record TrashEntry(String id, Instant deleted, FileType type, long files, long entries, long bytes) {

	private static final Pattern NAME = Pattern.compile("([0-9a-f]{12})-([0-9a-f]{1,15})-([0-9a-f]{1,15})-"
			+ "([0-9a-f]{1,15})-(file|directory|link|other)-([0-9a-f]{8})");

	/**
	 * Creates an entry with a new id.
	 */
	static TrashEntry create(Instant now, TrashContent content) {
		return new TrashEntry(String.format(Locale.ROOT, "%08x", ThreadLocalRandom.current().nextInt()),
				Instant.ofEpochMilli(now.toEpochMilli()), content.type(), content.files(), content.entries(),
				content.bytes());
	}

	/**
	 * Returns the entry in a directory.
	 * @return the entry, null if the directory does not have the name of one
	 */
	static @Nullable TrashEntry in(Path directory) {
		Matcher name = NAME.matcher(String.valueOf(directory.getFileName()));
		return name.matches() ? new TrashEntry(name.group(6), Instant.ofEpochMilli(hex(name.group(1))),
				FileType.valueOf(name.group(5).toUpperCase(Locale.ROOT)), hex(name.group(2)), hex(name.group(3)),
				hex(name.group(4))) : null;
	}

	/**
	 * Returns this entry with a content that has grown, equal to this one if it has not.
	 * @param most the number of bytes of a content that cannot be counted
	 */
	TrashEntry grown(TrashContent content, long most) {
		return new TrashEntry(this.id, this.deleted, this.type, Math.max(this.files, content.files()),
				Math.max(this.entries, content.entries()),
				Math.max(this.bytes, (content.unknown() != null) ? most : content.bytes()));
	}

	/**
	 * Returns this entry with another time.
	 */
	TrashEntry at(Instant time) {
		return new TrashEntry(this.id, Instant.ofEpochMilli(time.toEpochMilli()), this.type, this.files, this.entries,
				this.bytes);
	}

	private static long hex(String digits) {
		return Long.parseLong(digits, 16);
	}

	/**
	 * Returns the name of the directory that contains the entry.
	 */
	String directoryName() {
		return String.format(Locale.ROOT, "%012x-%x-%x-%x-%s-%s", this.deleted.toEpochMilli(), this.files, this.entries,
				this.bytes, this.type.name().toLowerCase(Locale.ROOT), this.id);
	}

}
