/**
 * Auto-configuration for LangChain4j.
 */
@NullMarked
package io.kairo.autoconfigure.langchain4j;

import org.jspecify.annotations.NullMarked;
