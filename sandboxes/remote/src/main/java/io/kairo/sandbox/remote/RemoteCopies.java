package io.kairo.sandbox.remote;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.CommandDirectory;
import io.kairo.sandbox.support.mount.CommandMounts;
import io.kairo.sandbox.support.mount.MountPlaceholders;
import io.kairo.sandbox.support.mount.MountPlan;
import io.kairo.sandbox.support.mount.OwnerAccess;
import io.kairo.sandbox.support.mount.RequestMounts;
import io.kairo.sandbox.support.mount.Root;
import io.kairo.sandbox.support.mount.Roots;
import org.jspecify.annotations.Nullable;

/**
 * The copies of directories that this machine does not share with a worker. Safe for use
 * by several threads.
 */
final class RemoteCopies {

	/** Files that are copied back are never closed to their owner, who is this JVM. */
	private static final OwnerAccess OWN_ACCESS = new OwnerAccess((root, program) -> {
		throw new IOException("The owner has closed a directory");
	}, null);

	private final List<PathMapping> mappings;

	private final @Nullable WorkspaceCopies options;

	private final PrivateDirectory directory;

	private final RequestMounts mounts;

	private final CopyHashes hashes = new CopyHashes();

	/**
	 * Creates the copies. Does not access the disk.
	 * @param directory the parent of the received files
	 */
	RemoteCopies(RemoteSandboxOptions options, PrivateDirectory directory) {
		this.mappings = options.mappings();
		this.options = options.copies();
		this.directory = directory;
		this.mounts = new RequestMounts(() -> List.of(directory.path()),
				(this.options != null) ? this.options.hiddenPaths() : List.of(), new MountPlaceholders(directory));
	}

	/**
	 * Returns whether a command needs copies, and they are allowed.
	 */
	boolean isNeeded(SandboxRequest request) {
		return this.options != null && Stream
			.concat(Stream.of(request.workspaceRoot()),
					request.attributes().mounts().stream().map(SandboxAttributes.Mount::source))
			.anyMatch((path) -> !isShared(path));
	}

	private boolean isShared(Path path) {
		return this.mappings.stream().anyMatch((mapping) -> mapping.toRemote(path) != null);
	}

	/**
	 * Prepares the copy of the directories of a command. Its files are not read yet.
	 * @throws SandboxException if a directory cannot be copied
	 */
	RemoteCopy prepare(SandboxRequest request) {
		WorkspaceCopies allowed = this.options;
		if (allowed == null) {
			throw new IllegalStateException("There are no copies");
		}
		Path start = CommandDirectory.of(request);
		Roots all = Roots.of(request);
		List<Root> copied = all.all().stream().filter((root) -> !isShared(root.asked())).toList();
		Roots roots = new Roots(copied);
		if (!isShared(start)) {
			roots.toTarget(start);
		}
		CommandMounts mounts = this.mounts.create(request, roots, OWN_ACCESS, Map.of());
		MountPlan plan = mounts.plan();
		all.all()
			.stream()
			.filter((root) -> !copied.contains(root))
			.forEach((root) -> plan.add(MountPlan.Kind.WRITABLE, root.source(), root.target()));
		return new RemoteCopy(all, roots, plan, request.tenant().tenantId(), allowed.maxBytes(), this.hashes,
				this.directory, mounts::close);
	}

}
