package io.kairo.autoconfigure.tools;

import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteTool;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/**
 * The tools for files whose results programs rely on. They replace their counterparts
 * under {@link io.kairo.tools.ToolNaming#SNAKE_CASE}.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnSnakeCaseNaming.class)
class TaskToolsConfiguration {

	@Bean
	@Order(100)
	@ConditionalOnMissingBean({ ReadTool.class, ReadFileTool.class })
	ReadFileTool kairoReadFileTool(ToolsProperties properties) {
		return new ReadFileTool(properties.read().options(properties.write()));
	}

	@Bean
	@Order(200)
	@ConditionalOnMissingBean({ WriteTool.class, WriteFileTool.class })
	WriteFileTool kairoWriteFileTool(ToolsProperties properties) {
		return new WriteFileTool(properties.write().options());
	}

	@Bean
	@Order(400)
	@ConditionalOnMissingBean({ ListTool.class, ListFilesTool.class })
	ListFilesTool kairoListFilesTool(ToolsProperties properties) {
		return new ListFilesTool(properties.list().options());
	}

	@Bean
	@Order(500)
	@ConditionalOnMissingBean({ InfoTool.class, WorkspaceInfoTool.class })
	WorkspaceInfoTool kairoWorkspaceInfoTool(ToolsProperties properties) {
		return new WorkspaceInfoTool(new InfoOptions(properties.search().deadline()));
	}

}
