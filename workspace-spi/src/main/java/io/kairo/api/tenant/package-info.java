/**
 * Tenant identity: who a workspace, a command or a tool call belongs to.
 */
@NullMarked
package io.kairo.api.tenant;

import org.jspecify.annotations.NullMarked;
