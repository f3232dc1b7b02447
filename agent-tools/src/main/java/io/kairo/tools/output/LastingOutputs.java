package io.kairo.tools.output;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of calls without a session. Later calls of the same tenant and principal
 * find them, also in other JVMs that share the directory. All calls of a principal
 * without a session have the limits of one session. Safe for use by several threads and
 * JVMs.
 *
 * @param root the directory, closed to all other users
 * @param options the limits
 */
record LastingOutputs(Path root, OutputOptions options) {

	private static final String ID = "[0-9a-f]{8}";

	/**
	 * Keeps an output.
	 * @param file a file on the file system of the directory, to be moved
	 * @param now the time
	 * @return the id of the output
	 * @throws IOException if it cannot be kept
	 */
	String keep(Owner owner, Path file, Instant now) throws IOException {
		sweep(now);
		Path directory = OwnerOnly.createDirectories(directory(owner));
		Files.setLastModifiedTime(file, FileTime.from(now));
		while (true) {
			String id = UUID.randomUUID().toString().substring(0, 8);
			Path kept = directory.resolve(owner.prefix() + id + ".txt");
			if (!Files.exists(kept, LinkOption.NOFOLLOW_LINKS)) {
				try {
					Files.move(file, kept);
				}
				catch (FileAlreadyExistsException ex) {
					continue;
				}
				bound(directory, owner, kept);
				return id;
			}
		}
	}

	/**
	 * Finds an output.
	 * @return the output, null if it is unknown, removed or expired
	 */
	@Nullable KeptOutput find(Owner owner, String id, Instant now) {
		Path file = directory(owner).resolve(owner.prefix() + id + ".txt");
		KeptOutput output = id.matches(ID) ? output(file) : null;
		return (output == null || isExpired(output, now)) ? null : output;
	}

	private Path directory(Owner owner) {
		return this.root.resolve(Sha256.hex(owner.tenant(), 16));
	}

	private boolean isExpired(KeptOutput output, Instant now) {
		return output.kept().isBefore(now.minus(this.options.maxAge()));
	}

	private void bound(Path directory, Owner owner, Path latest) throws IOException {
		List<KeptOutput> outputs = outputs(directory);
		outputs.sort(Comparator.comparing((output) -> !output.file().equals(latest)));
		List<KeptOutput> own = outputs.stream()
			.filter((output) -> output.file().getFileName().toString().startsWith(owner.prefix()))
			.toList();
		remove(own, this.options.maxBytesPerSession(), this.options.maxOutputsPerSession());
		remove(outputs, this.options.maxBytesPerTenant(), Integer.MAX_VALUE);
	}

	/**
	 * Removes the oldest outputs until the others are within bounds.
	 */
	private static void remove(List<KeptOutput> outputs, long maxBytes, int maxCount) throws IOException {
		long bytes = 0;
		int count = 0;
		for (KeptOutput output : outputs) {
			bytes += output.size();
			if (bytes > maxBytes || ++count > maxCount) {
				Files.deleteIfExists(output.file());
			}
		}
	}

	/**
	 * Removes the expired outputs of all tenants. Those from before the clock was set
	 * back are as old as if they were kept now.
	 */
	private void sweep(Instant now) throws IOException {
		try (DirectoryStream<Path> tenants = Files.newDirectoryStream(this.root)) {
			for (Path tenant : tenants) {
				for (KeptOutput output : outputs(tenant)) {
					if (isExpired(output, now)) {
						Files.deleteIfExists(output.file());
					}
					else if (output.kept().isAfter(now)) {
						Files.setLastModifiedTime(output.file(), FileTime.from(now));
					}
				}
			}
		}
		catch (NoSuchFileException ex) {
			// nothing has been kept
		}
	}

	/**
	 * Returns the outputs in a directory, the newest first.
	 */
	private static List<KeptOutput> outputs(Path directory) throws IOException {
		List<KeptOutput> outputs = new ArrayList<>();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
			for (Path file : files) {
				KeptOutput output = output(file);
				if (output != null) {
					outputs.add(output);
				}
			}
		}
		catch (NoSuchFileException | NotDirectoryException ex) {
			return List.of();
		}
		outputs.sort(Comparator.comparing(KeptOutput::kept).reversed());
		return outputs;
	}

	private static @Nullable KeptOutput output(Path file) {
		try {
			BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class,
					LinkOption.NOFOLLOW_LINKS);
			return attributes.isRegularFile()
					? new KeptOutput(file, attributes.size(), attributes.lastModifiedTime().toInstant()) : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	/**
	 * The owner of outputs.
	 *
	 * @param tenant the id of the tenant
	 * @param principal the id of the principal
	 */
	record Owner(String tenant, String principal) {

		private String prefix() {
			return Sha256.hex(this.principal, 16) + "-";
		}

	}

}
