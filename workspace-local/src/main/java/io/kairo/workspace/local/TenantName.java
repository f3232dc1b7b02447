package io.kairo.workspace.local;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.regex.Pattern;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Decides whether the id of a tenant can be the name of a directory, on every operating
 * system.
 */
final class TenantName {

	private static final int MAX_BYTES = 200;

	private static final Pattern SAFE = Pattern
		.compile("[\\p{L}\\p{N}_](?:[\\p{L}\\p{M}\\p{N} ._@+=~,-]*[\\p{L}\\p{M}\\p{N}_@+=~,-])?");

	/** Names that are devices on Windows, whatever follows a dot. */
	private static final Pattern DEVICE = Pattern.compile("(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\\..*)?");

	private TenantName() {
	}

	static String require(String tenant) {
		if (!SAFE.matcher(tenant).matches() || DEVICE.matcher(tenant.toLowerCase(Locale.ROOT)).matches()
				|| tenant.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES
				|| !Normalizer.isNormalized(tenant, Form.NFC)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, "The tenant "
					+ WorkspacePath.quote(tenant) + " cannot have a directory: its id needs up to " + MAX_BYTES
					+ " bytes of letters, digits and . _ @ + = ~ , - or inner spaces, a letter, digit or _ first "
					+ "and no dot last");
		}
		return tenant;
	}

}
