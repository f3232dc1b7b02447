/**
 * Auto-configuration of workspaces from S3 buckets for Spring Boot.
 */
@NullMarked
package io.kairo.workspace.s3.autoconfigure;

import org.jspecify.annotations.NullMarked;
