/**
 * Auto-configuration of actuator endpoints and the info contributor.
 */
@NullMarked
package io.kairo.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
