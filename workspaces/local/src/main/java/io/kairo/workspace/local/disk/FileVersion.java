package io.kairo.workspace.local.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

import io.kairo.host.Sha256;

/**
 * Creates versions of files.
 */
final class FileVersion {

	/** Prefix of a version that is a hash of the content. */
	static final String HASH = "sha256:";

	private FileVersion() {
	}

	static String ofContent(byte[] content) {
		return HASH + Sha256.hex(content);
	}

	/**
	 * Creates the version of content. All but its last part has been digested.
	 */
	static String of(MessageDigest digest, byte[] rest) {
		return HASH + HexFormat.of().formatHex(digest.digest(rest));
	}

	static String ofAttributes(BasicFileAttributes attributes) {
		return "stat:" + attributes.size() + "-" + attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) + "-"
				+ attributes.fileKey();
	}

}
