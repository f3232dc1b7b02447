/**
 * Auto-configuration of workspaces from Git for Spring Boot.
 */
@NullMarked
package io.kairo.workspace.git.autoconfigure;

import org.jspecify.annotations.NullMarked;
