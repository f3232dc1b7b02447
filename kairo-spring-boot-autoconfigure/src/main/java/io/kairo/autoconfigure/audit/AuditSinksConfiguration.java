package io.kairo.autoconfigure.audit;

import java.nio.file.Path;

import io.kairo.boot.KairoProperties;
import io.kairo.governance.audit.AuditFileOptions;
import io.kairo.governance.audit.FileAuditSink;
import io.kairo.governance.audit.LogAuditSink;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the sinks of types log and file.
 */
@Configuration(proxyBeanMethods = false)
class AuditSinksConfiguration {

	@Bean
	@ConditionalOnAuditSink(AuditSinkType.LOG)
	LogAuditSink kairoLogAuditSink(AuditProperties properties) {
		return new LogAuditSink(properties.chain());
	}

	@Bean
	@ConditionalOnAuditSink(AuditSinkType.FILE)
	FileAuditSink kairoFileAuditSink(AuditProperties properties, KairoProperties kairo) {
		AuditProperties.File file = properties.file();
		Path directory = (file.directory() != null) ? file.directory() : kairo.stateDirectory().resolve("audit");
		return new FileAuditSink(new AuditFileOptions(directory, file.chain(), file.maxFileSize().toBytes(),
				file.maxFiles(), file.minAge(), file.sync()), properties.chain());
	}

}
