package io.kairo.autoconfigure.tools;

import io.kairo.tools.ToolNaming;
import io.kairo.tools.file.InfoOptions;
import io.kairo.tools.file.InfoTool;
import io.kairo.tools.file.ListFilesTool;
import io.kairo.tools.file.ListTool;
import io.kairo.tools.file.ReadFileTool;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.file.WorkspaceInfoTool;
import io.kairo.tools.file.WriteFileTool;
import io.kairo.tools.file.WriteTool;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The tools for files whose results programs rely on. They replace their counterparts
 * under {@link io.kairo.tools.ToolNaming#SNAKE_CASE}.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(TaskToolsConfiguration.OnSnakeCaseNaming.class)
class TaskToolsConfiguration {

	@Bean
	@Order(100)
	@ConditionalOnMissingBean({ ReadTool.class, ReadFileTool.class })
	ReadFileTool kairoReadFileTool(ToolsProperties properties) {
		return new ReadFileTool(properties.read().options(properties.write(), properties.search()));
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
		return new ListFilesTool(properties.list().options(properties.search()));
	}

	@Bean
	@Order(500)
	@ConditionalOnMissingBean({ InfoTool.class, WorkspaceInfoTool.class })
	WorkspaceInfoTool kairoWorkspaceInfoTool(ToolsProperties properties) {
		return new WorkspaceInfoTool(new InfoOptions(properties.search().deadline()));
	}

	/**
	 * Matches if {@code kairo.tools.naming} is {@link ToolNaming#SNAKE_CASE}.
	 */
	static final class OnSnakeCaseNaming extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ToolNaming naming = Binder.get(context.getEnvironment())
				.bind("kairo.tools.naming", ToolNaming.class)
				.orElse(ToolNaming.CLAUDE);
			ConditionMessage.Builder message = ConditionMessage.forCondition("Snake case naming");
			return new ConditionOutcome(naming == ToolNaming.SNAKE_CASE,
					message.because("kairo.tools.naming is " + naming));
		}

	}

}
