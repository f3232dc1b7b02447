package io.kairo.sandbox.remote.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Set;

import io.kairo.host.Sha256;
import io.kairo.sandbox.remote.protocol.ErrorMessage;
import org.jspecify.annotations.Nullable;

/**
 * A client that may run commands. Immutable.
 *
 * @param name the name, for logs; with client certificates, their common name
 * @param token the secret that identifies the client, at least 16 characters; null to
 * identify it by a certificate only
 * @param tenants the tenants that the client may act for; empty for all of them
 * @param roots the directories of this machine that commands of the client may use, with
 * everything below; {@code {tenant}} stands for the tenant
 */
public record RemoteClient(String name, @Nullable String token, Set<String> tenants, List<String> roots) {

	private static final int LEAST_CHARACTERS = 16;

	private static final String TENANT = "{tenant}";

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the token is too short, there is no root, or
	 * one is not absolute
	 */
	public RemoteClient {
		tenants = Set.copyOf(tenants);
		roots = List.copyOf(roots);
		if (token != null && token.length() < LEAST_CHARACTERS) {
			throw new IllegalArgumentException("The token of the client '" + name + "' has " + token.length()
					+ " characters: generate one of at least " + LEAST_CHARACTERS);
		}
		if (roots.isEmpty()) {
			throw new IllegalArgumentException(
					"The client '" + name + "' has no roots: name the directories that its commands may use");
		}
		for (String root : roots) {
			if (!Path.of(root).isAbsolute()) {
				throw new IllegalArgumentException(
						"The root '" + root + "' of the client '" + name + "' is not absolute: give the whole path");
			}
		}
	}

	/**
	 * Returns whether this client has a token, in a time that does not depend on where
	 * the two differ.
	 */
	boolean has(String token) {
		return this.token != null && MessageDigest.isEqual(digest(this.token), digest(token));
	}

	private static byte[] digest(String token) {
		return Sha256.digest().digest(token.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Checks that the client may act for a tenant.
	 * @throws RefusedRequestException if it may not
	 */
	void requireTenant(String tenant) {
		if (!this.tenants.isEmpty() && !this.tenants.contains(tenant)) {
			throw new RefusedRequestException(ErrorMessage.FORBIDDEN,
					"The client '" + this.name + "' may not act for the tenant '" + tenant + "'",
					"allow it on the worker");
		}
	}

	/**
	 * Checks that commands of a tenant may use a directory. It need not exist.
	 * @param text an absolute path
	 * @return the directory
	 * @throws RefusedRequestException if they may not
	 */
	Path directory(String text, String tenant) {
		try {
			Path directory = Path.of(text);
			if (directory.isAbsolute() && directory.equals(directory.normalize())
					&& this.roots.stream().anyMatch((root) -> contains(root, tenant, directory))) {
				return directory;
			}
		}
		catch (InvalidPathException ex) {
			throw RefusedRequestException.invalid(ex);
		}
		throw new RefusedRequestException(
				ErrorMessage.FORBIDDEN, "The client '" + this.name + "' may not use the directory '" + text
						+ "' for the tenant '" + tenant + "'",
				"use a directory below its roots, or allow it on the worker");
	}

	/**
	 * Returns the directories that commands of a tenant may use, with links resolved if
	 * they exist.
	 */
	List<Path> rootsOf(String tenant) {
		return this.roots.stream()
			.filter((root) -> fits(root, tenant))
			.map((root) -> Path.of(root.replace(TENANT, tenant)))
			.map(RemoteClient::real)
			.toList();
	}

	private static Path real(Path path) {
		try {
			return path.toRealPath();
		}
		catch (IOException ex) {
			return path;
		}
	}

	/**
	 * Returns whether the tenant does not lead out of the root.
	 */
	private static boolean fits(String template, String tenant) {
		return !template.contains(TENANT) || !(tenant.contains("/") || tenant.equals(".") || tenant.equals(".."));
	}

	/**
	 * Returns whether a directory lies in a root, and is not a link to another place.
	 */
	private static boolean contains(String template, String tenant, Path directory) {
		if (!fits(template, tenant)) {
			return false;
		}
		Path root = Path.of(template.replace(TENANT, tenant));
		try {
			return directory.startsWith(root) && directory.toRealPath().startsWith(root.toRealPath());
		}
		catch (NoSuchFileException ex) {
			// the sandbox says that it is missing
			return directory.startsWith(root);
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public String toString() {
		// not the token
		return "RemoteClient[" + this.name + ", tenants=" + this.tenants + ", roots=" + this.roots + "]";
	}

}
