/**
 * Tenant identity: the owner of a workspace, a command or a tool call.
 */
@NullMarked
package io.kairo.api.tenant;

import org.jspecify.annotations.NullMarked;
