package io.kairo.boot;

import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * The tools that models are offered: all tools of the catalog except tools for workspaces
 * that do not occur. Immutable.
 */
public final class OfferedTools {

	private static final String GIT = "git";

	private static final Map<String, String> SCHEMES = Map.of("Diff", GIT, "Commit", GIT, "Push", GIT, "WriteBack",
			"s3");

	private final Map<String, String> schemes = new HashMap<>();

	private final @Nullable String usual;

	private final Binder properties;

	/**
	 * Creates the value.
	 * @param identities the identities of all tools by their names
	 * @param usual the scheme of workspaces that sessions have by default, null if it is
	 * not known
	 * @param environment the properties of the application
	 */
	public OfferedTools(Map<String, String> identities, @Nullable String usual, Environment environment) {
		this.usual = usual;
		this.properties = Binder.get(environment);
		identities.forEach((name, identity) -> {
			if (SCHEMES.containsKey(identity)) {
				this.schemes.put(name, SCHEMES.get(identity));
			}
		});
	}

	/**
	 * Returns the scheme of the workspaces that sessions have by default.
	 * @return the scheme, null if it is not known
	 */
	public @Nullable String usual() {
		return this.usual;
	}

	/**
	 * Returns whether a tool works in the default workspaces of sessions, used by callers
	 * that cannot choose one.
	 * @param tool the name of the tool
	 * @return true unless it is for workspaces of another provider
	 */
	public boolean isUsual(String tool) {
		String scheme = this.schemes.get(tool);
		return scheme == null || this.usual == null || scheme.equals(this.usual);
	}

	/**
	 * Returns whether a tool may work in a workspace that the application chooses for a
	 * session.
	 * @param tool the name of the tool
	 * @return true if it is usual, or the application configures its workspaces
	 */
	public boolean isOffered(String tool) {
		return isUsual(tool) || this.properties
			.bind("kairo.workspace." + this.schemes.get(tool), Bindable.mapOf(String.class, Object.class))
			.isBound();
	}

}
