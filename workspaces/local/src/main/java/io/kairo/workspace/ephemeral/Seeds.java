package io.kairo.workspace.ephemeral;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.workspace.local.HintPath;
import io.kairo.workspace.local.RootTemplate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the seed that a hint names, only below the directories of seeds. Immutable.
 */
final class Seeds {

	static final String SCHEME = "ephemeral";

	private final List<RootTemplate> templates;

	/** The parent directory of the workspaces. It cannot be copied into itself. */
	private final Path directory;

	Seeds(List<RootTemplate> templates, Path directory) {
		this.templates = templates;
		this.directory = directory;
		for (RootTemplate template : templates) {
			templates.stream().filter(template::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw new WorkspacePathException(WorkspaceErrorCode.AMBIGUOUS_PATH,
						"The seeds in " + WorkspacePath.quote(template.toString()) + " and "
								+ WorkspacePath.quote(other.toString())
								+ " overlap, so that one tenant would see another one's: use directories apart");
			});
			if (template.base().startsWith(directory) || directory.startsWith(template.base())) {
				throw new WorkspacePathException(WorkspaceErrorCode.AMBIGUOUS_PATH,
						"The seeds in " + WorkspacePath.quote(template.toString())
								+ " and the directory of ephemeral workspaces overlap: use directories apart");
			}
		}
	}

	/**
	 * Finds a seed.
	 * @return the seed, null if the hint names none
	 * @throws WorkspacePathException if the hint names a directory that is not a seed of
	 * the tenant
	 */
	@Nullable Seed find(WorkspaceRequest request) {
		String text = WorkspaceHint.parse(request.hint()).without(SCHEME);
		if (text.isBlank()) {
			return null;
		}
		Path path = HintPath.parse(text);
		List<Path> homes = homes(request.tenant().tenantId()).stream()
			.filter((home) -> home.resolve(path).normalize().startsWith(home))
			.toList();
		if (homes.isEmpty()) {
			throw blocked(text);
		}
		Path home = homes.stream().filter((each) -> Files.exists(each.resolve(path))).findFirst().orElse(homes.get(0));
		return seed(text, home.resolve(path).normalize(), home);
	}

	/**
	 * Returns the directories of seeds of a tenant.
	 */
	private List<Path> homes(String tenant) {
		List<Path> homes = new ArrayList<>();
		for (RootTemplate template : this.templates) {
			try {
				homes.add(template.find(tenant));
			}
			catch (WorkspacePathException ex) {
				// This tenant has no seeds there.
			}
		}
		return homes;
	}

	private Seed seed(String text, Path named, Path home) {
		try {
			Path real = named.toRealPath();
			if (!real.startsWith(home.toRealPath()) || overlapsDirectory(real)) {
				throw blocked(text);
			}
			if (!Files.isDirectory(real)) {
				throw unusable(WorkspaceErrorCode.NOT_A_DIRECTORY, text, "is not a directory", null);
			}
			if (!Files.isReadable(real) || !Files.isExecutable(real)) {
				throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, text, "is not readable", null);
			}
			return new Seed(real, home.relativize(named).toString());
		}
		catch (NoSuchFileException ex) {
			throw unusable(WorkspaceErrorCode.FILE_NOT_FOUND, text, "does not exist", null);
		}
		catch (IOException ex) {
			throw unusable(WorkspaceErrorCode.PERMISSION_DENIED, text, "cannot be reached", ex);
		}
	}

	private boolean overlapsDirectory(Path seed) throws IOException {
		if (!Files.exists(this.directory)) {
			return false;
		}
		Path real = this.directory.toRealPath();
		return seed.startsWith(real) || real.startsWith(seed);
	}

	private WorkspacePathException blocked(String text) {
		return new WorkspacePathException(WorkspaceErrorCode.PATH_TRAVERSAL_BLOCKED,
				"The seed " + WorkspacePath.quote(text) + (this.templates.isEmpty()
						? " cannot be copied, as no directory of seeds is configured: give no seed, or ask the operator for one"
						: " is not below a directory of seeds: give a path below one"));
	}

	private static WorkspacePathException unusable(WorkspaceErrorCode code, String text, String reason,
			@Nullable IOException cause) {
		return new WorkspacePathException(code, "The seed " + WorkspacePath.quote(text) + " " + reason
				+ ": give a directory of seeds that exists and can be read", cause);
	}

}
