package io.kairo.test.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Gives a test class the tools of Kairo on a machine that does not exist: with
 * {@link io.kairo.test.TestWorkspaces} for the files, a {@link io.kairo.test.FakeSandbox}
 * for the commands, {@link io.kairo.test.RecordedCalls} of the tools and, with Spring AI
 * on the class path, a {@link io.kairo.test.springai.ScriptedChatModel}. All of them are
 * beans. They are reset before each test method.
 * <p>
 * It works with {@code @SpringBootTest}, and with slices such as {@code @WebMvcTest}.
 * These have no tools otherwise. Beans of the application replace these. State is kept in
 * a temporary directory, and no chat model of an auto-configuration is created.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration
public @interface AutoConfigureKairo {

}
