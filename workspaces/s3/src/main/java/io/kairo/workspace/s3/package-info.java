/**
 * Workspaces with the objects below a prefix of an S3 bucket.
 */
@NullMarked
package io.kairo.workspace.s3;

import org.jspecify.annotations.NullMarked;
