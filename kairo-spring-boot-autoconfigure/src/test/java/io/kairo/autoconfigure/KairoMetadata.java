package io.kairo.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The configuration metadata of all modules of Kairo, as one.
 */
public final class KairoMetadata {

	private KairoMetadata() {
	}

	/**
	 * Returns the groups, properties and hints.
	 */
	public static JsonNode read() throws IOException {
		JsonMapper mapper = JsonMapper.builder().build();
		ObjectNode all = mapper.createObjectNode();
		for (URL url : Collections
			.list(KairoMetadata.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream in = url.openStream()) {
				JsonNode metadata = mapper.readTree(in);
				if (metadata.toString().contains("\"kairo.")) {
					for (String kind : new String[] { "groups", "properties", "hints" }) {
						metadata.path(kind).forEach(all.withArray(kind)::add);
					}
				}
			}
		}
		return all;
	}

}
