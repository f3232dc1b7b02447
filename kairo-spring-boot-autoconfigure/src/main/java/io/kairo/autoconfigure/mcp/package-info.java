/**
 * Auto-configuration of the tools of an MCP server.
 */
@NullMarked
package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.NullMarked;
