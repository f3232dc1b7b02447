/**
 * Auto-configuration of the remote sandbox and of the sandbox server for Spring Boot.
 */
@NullMarked
package io.kairo.sandbox.remote.autoconfigure;

import org.jspecify.annotations.NullMarked;
