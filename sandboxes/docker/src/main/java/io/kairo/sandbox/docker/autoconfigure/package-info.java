/**
 * Auto-configuration of the Docker sandbox for Spring Boot.
 */
@NullMarked
package io.kairo.sandbox.docker.autoconfigure;

import org.jspecify.annotations.NullMarked;
