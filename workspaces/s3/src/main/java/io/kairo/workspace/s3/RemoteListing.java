package io.kairo.workspace.s3;

import java.util.List;
import java.util.Set;

/**
 * The objects and directories found by a listing, by their paths.
 *
 * @param objects the objects whose keys can be paths
 * @param directories the paths of directories whose content was not listed
 * @param unusable the keys that cannot be paths
 */
record RemoteListing(List<RemoteObject> objects, Set<String> directories, List<UnusableKey> unusable) {

}
