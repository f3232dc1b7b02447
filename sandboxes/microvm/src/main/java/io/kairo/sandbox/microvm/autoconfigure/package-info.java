/**
 * Auto-configuration of the sandbox of virtual machines for Spring Boot.
 */
@NullMarked
package io.kairo.sandbox.microvm.autoconfigure;

import org.jspecify.annotations.NullMarked;
