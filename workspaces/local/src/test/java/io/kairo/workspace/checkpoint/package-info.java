@NullMarked
package io.kairo.workspace.checkpoint;

import org.jspecify.annotations.NullMarked;
