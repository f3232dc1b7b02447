package io.kairo.workspace.s3;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * Collects the pages of a listing. The object store is not trusted to send only keys with
 * the requested prefix.
 */
final class ListingParts {

	private static final int MAX_UNUSABLE = 1000;

	/** Half of what a file can have on ext4. */
	private static final long MAX_SIZE = 8L << 40;

	/** Characters that a header can contain. */
	private static final Pattern VERSION = Pattern.compile("[ -~]{1,1024}");

	private final S3Location location;

	private final String prefix;

	private final List<RemoteObject> objects = new ArrayList<>();

	private final Set<String> directories = new LinkedHashSet<>();

	private final List<UnusableKey> unusable = new ArrayList<>();

	private int count;

	ListingParts(S3Location location, String prefix) {
		this.location = location;
		this.prefix = prefix;
	}

	int size() {
		return this.count;
	}

	void add(ListObjectsV2Response page) {
		for (S3Object object : page.contents()) {
			this.count++;
			String path = path(object.key());
			String etag = Objects.requireNonNullElse(object.eTag(), "");
			long size = Bucket.size(object.size());
			String problem = problem(path, etag, size);
			if (problem != null) {
				refuse(path, problem);
			}
			else {
				this.objects.add(new RemoteObject(path, Bucket.quoted(etag), size,
						Objects.requireNonNullElse(object.lastModified(), Instant.EPOCH), Map.of()));
			}
		}
		page.commonPrefixes().forEach((common) -> {
			this.count++;
			String path = path(common.prefix());
			String directory = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
			String problem = KeySyntax.problem(directory);
			if (problem != null) {
				refuse(path, directory.endsWith("/") ? "has an empty name between slashes" : problem);
			}
			else {
				this.directories.add(directory);
			}
		});
	}

	private static @Nullable String problem(String path, String etag, long size) {
		String problem = KeySyntax.problem(path);
		if (problem == null && !VERSION.matcher(etag).matches()) {
			problem = "has no version that can be compared";
		}
		return (problem == null && (size < 0 || size > MAX_SIZE)) ? "has a size that no file can have" : problem;
	}

	private String path(@Nullable String key) {
		if (key == null || !key.startsWith(this.prefix)) {
			throw S3Failures.nonsense(this.location, "list", "with keys outside of the prefix",
					new IllegalStateException("key outside of the prefix"));
		}
		return key.substring(this.location.prefix().length());
	}

	private void refuse(String key, String reason) {
		if (this.unusable.size() < MAX_UNUSABLE) {
			this.unusable.add(new UnusableKey(key, reason));
		}
	}

	RemoteListing listing() {
		return new RemoteListing(this.objects, this.directories, this.unusable);
	}

}
