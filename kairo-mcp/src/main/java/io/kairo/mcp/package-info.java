/**
 * Auto-configuration of the MCP server.
 */
@NullMarked
package io.kairo.mcp;

import org.jspecify.annotations.NullMarked;
