package io.kairo.sandbox.support.mount;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The files of the host that confined commands can read: an allow-list, since a host has
 * secrets in many places.
 */
public final class SystemFiles {

	/** Directories that are links into {@code /usr} on most systems. */
	public static final List<String> LINKED = List.of("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32");

	/** Names of files and directories in {@code /etc}. */
	public static final List<String> CONFIGURATION = List.of("alternatives", "crypto-policies", "fonts", "ld.so.cache",
			"ld.so.conf", "ld.so.conf.d", "localtime", "maven", "mime.types", "nsswitch.conf", "os-release", "perl",
			"pki/ca-trust", "pki/tls/cert.pem", "pki/tls/certs", "protocols", "services", "ssl/cert.pem", "ssl/certs",
			"ssl/openssl.cnf", "terminfo", "timezone");

	/** Names in {@code /etc} that contain a version. */
	public static final Pattern VERSIONED = Pattern.compile("(java-\\d|python3|php\\d|R$).*");

	private SystemFiles() {
	}

}
