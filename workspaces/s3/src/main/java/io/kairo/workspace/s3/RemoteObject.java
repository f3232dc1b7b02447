package io.kairo.workspace.s3;

import java.time.Instant;
import java.util.Map;

/**
 * An object of a bucket. Immutable.
 *
 * @param path its key without the prefix of the workspace
 * @param etag its version, with quotation marks
 * @param size its size in bytes
 * @param modified the time of its last modification
 * @param metadata its metadata, empty in listings
 */
record RemoteObject(String path, String etag, long size, Instant modified, Map<String, String> metadata) {

}
