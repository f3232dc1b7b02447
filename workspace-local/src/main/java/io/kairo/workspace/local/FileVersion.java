package io.kairo.workspace.local;

import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

/**
 * Makes versions of files.
 */
final class FileVersion {

	private FileVersion() {
	}

	static String ofContent(byte[] content) {
		try {
			return "sha256:" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static String ofAttributes(BasicFileAttributes attributes) {
		return "stat:" + attributes.size() + "-" + attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS) + "-"
				+ attributes.fileKey();
	}

}
