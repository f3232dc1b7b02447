package demo;

import java.util.List;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.dockerjava.api.model.HostConfig;

/**
 * The configuration that the command line of Docker sends for {@code --security-opt
 * systempaths=unconfined}: nothing in {@code /proc} and {@code /sys} is masked.
 */
class UnmaskedHostConfig extends HostConfig {

	@JsonProperty("MaskedPaths")
	private final List<String> maskedPaths = List.of();

	@JsonProperty("ReadonlyPaths")
	private final List<String> readonlyPaths = List.of();

}
