package io.kairo.governance.audit;

import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

import io.kairo.host.Sha256;
import io.kairo.tools.ToolCall;

/**
 * The digest of a call: the SHA-256 hash of the JSON object
 * <code>{"arguments":{...},"tool":"..."}</code> in ASCII, without white space, with the
 * keys of all objects in alphabetical order. Two calls with the same digest are the same
 * call. The digest does not hide a secret that can be guessed.
 */
public final class ArgumentDigest {

	private ArgumentDigest() {
	}

	/**
	 * Returns the digest of a call.
	 * @param call the call
	 * @return {@code sha256:} and 64 lower-case hexadecimal digits
	 */
	public static String of(ToolCall call) {
		MessageDigest digest = Sha256.digest();
		AuditJson.write(call.name(), call.arguments(), new DigestOutputStream(OutputStream.nullOutputStream(), digest));
		return "sha256:" + HexFormat.of().formatHex(digest.digest());
	}

}
