@NullMarked
package io.kairo.tools.checkpoint;

import org.jspecify.annotations.NullMarked;
