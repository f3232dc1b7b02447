package io.kairo.autoconfigure.mcp;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Base64;

import io.kairo.tools.ToolAttachment;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;

/**
 * A file that is attached to a result, as MCP content: an image as image content, any
 * other document as an embedded resource.
 *
 * @param attachment the file
 */
record McpAttachment(ToolAttachment attachment) {

	Content content() {
		String encoded = Base64.getEncoder().encodeToString(this.attachment.bytes());
		if (this.attachment.isImage()) {
			return ImageContent.builder(encoded, this.attachment.mediaType()).build();
		}
		BlobResourceContents blob = BlobResourceContents.builder(uri(), encoded)
			.mimeType(this.attachment.mediaType())
			.build();
		return EmbeddedResource.builder(blob).build();
	}

	/**
	 * Returns a name for the document, which cannot be resolved.
	 */
	private String uri() {
		String path = this.attachment.path();
		try {
			return new URI("workspace", null, path.startsWith("/") ? path : "/" + path, null).toASCIIString();
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
