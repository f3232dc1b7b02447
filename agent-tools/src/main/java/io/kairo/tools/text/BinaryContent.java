package io.kairo.tools.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A detector of binary content by its first bytes.
 */
public final class BinaryContent {

	private static final int SAMPLE = 8192;

	private static final Map<String, String> SIGNATURES = signatures();

	private static final String WEBP = "a WebP image";

	private static final Map<String, String> MEDIA_TYPES = Map.of("a PNG image", "image/png", "a JPEG image",
			"image/jpeg", "a GIF image", "image/gif", WEBP, "image/webp", "a PDF document", "application/pdf");

	private BinaryContent() {
	}

	/**
	 * Returns the kind of binary content.
	 * @param start the first bytes of a file
	 * @param encoding the detected encoding
	 * @return a kind such as {@code a PNG image}, null for text
	 */
	public static @Nullable String kind(byte[] start, TextEncoding encoding) {
		for (Map.Entry<String, String> signature : SIGNATURES.entrySet()) {
			if (hasSignature(start, signature.getKey())) {
				return signature.getValue();
			}
		}
		if (hasSignature(start, "RIFF") && start.length >= 12
				&& hasSignature(Arrays.copyOfRange(start, 8, 12), "WEBP")) {
			return WEBP;
		}
		if (!encoding.hasByteLines()) {
			return null;
		}
		int sample = Math.min(start.length, SAMPLE);
		int control = 0;
		int zeros = 0;
		for (int i = 0; i < sample; i++) {
			int b = start[i] & 0xFF;
			zeros += (b == 0) ? 1 : 0;
			if (b < 0x20 && b != '\t' && b != '\n' && b != '\r' && b != '\f' && b != 0x1B && b != '\b') {
				control++;
			}
		}
		boolean tooManyZeros = zeros > 0
				&& (zeros * 20 >= sample || !encoding.charset().equals(StandardCharsets.UTF_8));
		return (tooManyZeros || control * 10 > sample * 3) ? "binary data" : null;
	}

	/**
	 * Returns the media type of content that clients can show.
	 * @param kind the kind returned by {@link #kind}
	 * @return the media type, null for other kinds
	 */
	public static @Nullable String mediaType(String kind) {
		return MEDIA_TYPES.get(kind);
	}

	private static boolean hasSignature(byte[] start, String signature) {
		if (start.length < signature.length()) {
			return false;
		}
		for (int i = 0; i < signature.length(); i++) {
			if ((start[i] & 0xFF) != signature.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	private static Map<String, String> signatures() {
		Map<String, String> signatures = new LinkedHashMap<>();
		signatures.put("\u0089PNG\r\n", "a PNG image");
		signatures.put("\u00FF\u00D8\u00FF", "a JPEG image");
		signatures.put("GIF87a", "a GIF image");
		signatures.put("GIF89a", "a GIF image");
		signatures.put("%PDF-", "a PDF document");
		signatures.put("PK\u0003\u0004", "a ZIP archive");
		signatures.put("PK\u0005\u0006", "a ZIP archive");
		signatures.put("\u001F\u008B", "gzip data");
		signatures.put("BZh91AY&SY", "bzip2 data");
		signatures.put("\u00FD7zXZ", "xz data");
		signatures.put("(\u00B5/\u00FD", "zstd data");
		signatures.put("7z\u00BC\u00AF", "a 7-Zip archive");
		signatures.put("\u007FELF", "an ELF binary");
		signatures.put("\u00CA\u00FE\u00BA\u00BE", "a Java class or a Mach-O binary");
		signatures.put("SQLite format 3\u0000", "an SQLite database");
		return Collections.unmodifiableMap(signatures);
	}

}
