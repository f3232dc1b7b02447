package io.kairo.workspace.local;

import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

import io.kairo.host.Sha256;

/**
 * The versions of files, by which a change in the meantime is noticed.
 */
final class FileVersion {

	/** The prefix of a version that is a hash of the content. */
	static final String HASH = "sha256:";

	private FileVersion() {
	}

	static String ofContent(byte[] content) {
		return HASH + Sha256.hex(content);
	}

	/**
	 * Returns the version of a content of which all but the last part is digested.
	 */
	static String of(MessageDigest digest, byte[] rest) {
		return HASH + HexFormat.of().formatHex(digest.digest(rest));
	}

	static String ofAttributes(BasicFileAttributes attributes) {
		return "stat:" + attributes.size() + "-" + attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) + "-"
				+ attributes.fileKey();
	}

}
