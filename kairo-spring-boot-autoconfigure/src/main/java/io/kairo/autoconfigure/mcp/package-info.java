/**
 * Auto-configuration of the MCP server.
 */
@NullMarked
package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.NullMarked;
